# The article's sub: $count variates of N($mean, $sd), counted in bins of $dif standard deviations. As printed, but that
# $dif is a parameter (the printed server could not see its caller's `my $dif` and divided by zero).
use strict;
use Time::HiRes ();

sub dev {
    my ($mean, $count, $sd, $dif) = @_;
    my %h;
    for (my $i = 0; $i < $count; $i++) {
        my ($v1, $v2, $r);
        do {
            $v1 = 2 * rand() - 1;
            $v2 = 2 * rand() - 1;
            $r = $v1 ** 2 + $v2 ** 2;
        } while ($r >= 1);
        my $fac = sqrt(-2 * log($r) / log(exp(1)) / $r);
        my $x = $v2 * $fac * $sd + $mean;
        my $w = $sd * $dif;
        my $bin = int(($x + $w / 2) / $w) * $w;
        $h{$bin}++;
    }
    return \%h;
}

# Seconds of CPU time; perls before 5.8.8 have the coarse clock only.
sub cpu {
    my $fine = eval { Time::HiRes::clock() };
    return defined $fine ? $fine : (times)[0] + (times)[1];
}

# The histogram, after a line with the seconds that it took: wall, CPU, CPU of the third fastest of equal parts (nan where
# there are fewer). The parts go on in rand()'s sequence, so that their sum is the histogram of the whole.
sub timed_dev {
    my ($count, $mean, $sd, $dif, $seed) = @_;
    my ($part, @parts) = (1000);
    srand($seed);
    my ($wall, $cpu) = (Time::HiRes::time(), cpu());
    my $h = dev($mean, $count % $part, $sd, $dif);
    for (1 .. $count / $part) {
        my $start = cpu();
        my $more = dev($mean, $part, $sd, $dif);
        push @parts, cpu() - $start;
        $h->{$_} += $more->{$_} for keys %$more;
    }
    my @seconds = (Time::HiRes::time() - $wall, cpu() - $cpu, @parts > 2 ? (sort { $a <=> $b } @parts)[2] : 'nan');
    return join("\n", "@seconds", map("$_ $h->{$_}", sort { $a <=> $b } keys %$h), "end\n");
}
