# The article's experiment, with dev.pl in front: what it does is its first argument. Whoever runs it has this text, too,
# in RECKON_SCRIPT.
use Config;

my %roles = (

    # A: COUNT MEAN SD DIF SEED, in this process.
    local => sub { print timed_dev(@_) },

    # B: a TCP server on the loopback. Prints its port; a request is one line, TOKEN COUNT MEAN SD DIF SEED, the answer
    # what timed_dev() returns. The token comes on standard input.
    server => sub {
        require Socket;
        chomp(my $token = <STDIN>);
        socket(my $listener, Socket::PF_INET(), Socket::SOCK_STREAM(), 0) or die "socket: $!\n";
        bind($listener, Socket::sockaddr_in(0, Socket::INADDR_LOOPBACK())) or die "bind: $!\n";
        listen($listener, 5) or die "listen: $!\n";
        print "port ", (Socket::sockaddr_in(getsockname($listener)))[0], "\n";
        $SIG{PIPE} = 'IGNORE';
        while (accept(my $client, $listener)) {
            my $line = '';
            eval {
                local $SIG{ALRM} = sub { die "slow\n" };
                alarm 5;
                $line = <$client>;
                alarm 0;
            };
            my ($shown, @arguments) = split ' ', defined $line ? $line : '';
            if (@arguments == 5 && $shown eq $token) {
                my $answer = timed_dev(@arguments);
                syswrite($client, $answer);
            }
            close $client;
        }
    },

    # C: PORT COUNT MEAN SD DIF SEED, computed by B. Prints the seconds from connecting to the last byte, then B's answer.
    client => sub {
        require Socket;
        chomp(my $token = <STDIN>);
        my ($port, @arguments) = @_;
        my ($wall, $answer) = (Time::HiRes::time(), '');
        socket(my $server, Socket::PF_INET(), Socket::SOCK_STREAM(), 0) or die "socket: $!\n";
        connect($server, Socket::sockaddr_in($port, Socket::INADDR_LOOPBACK())) or die "connect: $!\n";
        syswrite($server, "$token @arguments\n");
        while (sysread($server, my $part, 65536)) {
            $answer .= $part;
        }
        print Time::HiRes::time() - $wall, "\n", $answer;
    },

    # One line about this perl: version, threads or not, shared libperl or not; then the files that it runs.
    about => sub {
        open my $maps, '<', '/proc/self/maps' or complain("/proc/self/maps: $!");
        my (%seen, @maps);
        @maps = <$maps>;
        # Debian's perl is linked statically, whatever its configuration says.
        printf "perl %vd, %s threads, %s libperl\n", $^V, $Config{usethreads} ? 'with' : 'without',
            (grep m{/libperl\.so}, @maps) ? 'shared' : 'static';
        for (@maps) {
            next unless m{^\S+ \S+ \S+ (\S+) (\d+)\s+(/\S*)} && $2;
            my ($device, $inode, $file) = ($1, $2, $3);
            next unless $file =~ m{/(libperl|libc|libm)[-.]} || $file =~ m{/perl[^/]*$} || $file eq (readlink '/proc/self/exe' || '');
            print "$device:$inode $file\n" unless $seen{$file}++;
        }
    },

    # A block of pairs, in the lines of `reckon gauss trial`: ORDER PERL-A PERL-B or nothing for A once more, then as A.
    trial => sub {
        my ($order, $perl_a, $perl_b, @arguments) = @_;
        my $once_more = $perl_b eq '';
        my ($about_a, $runs_a) = split /\n/, run($perl_a, '', 'about'), 2;
        my ($about_b, $runs_b) = split /\n/, run($once_more ? $perl_a : $perl_b, '', 'about'), 2;
        print "about A $about_a\nabout B $about_b\n";
        print "differ A: $about_a\ndiffer B: $about_b\n" if "$about_a$runs_a" ne "$about_b$runs_b";

        my $token = join '', map { sprintf '%02x', ord } split //, random(16);
        my $port = $once_more ? '' : start_server($perl_b, $token);
        my %side = (
            a => sub {
                my ($seconds, $histogram) = split /\n/, run($perl_a, '', 'local', @arguments), 2;
                my ($wall, $cpu, $fastest) = split ' ', $seconds;
                return { wall => $wall, cpu => $cpu, fastest => $fastest, worker => 'nan', histogram => $histogram };
            },
            b => sub {
                my ($wall, $seconds, $histogram) = split /\n/, run($perl_b, $token, 'client', $port, @arguments), 3;
                my ($worker, $cpu, $fastest) = split ' ', $seconds;
                return { wall => $wall, cpu => $cpu, fastest => $fastest, worker => $worker, histogram => $histogram };
            });
        $side{b} = $side{a} if $once_more;
        my $warm = 1;
        for my $first ('a', split //, $order) {
            my %run = $first eq 'a' ? (a => $side{a}->()) : ();
            $run{b} = $side{b}->();
            $run{a} ||= $side{a}->();
            $run{a}{histogram} eq $run{b}{histogram}
                or complain("compare: A and B return different histograms: they don't do the same work");
            print join(' ', 'pair', $first, @{$run{a}}{qw(wall cpu fastest)}, @{$run{b}}{qw(wall cpu fastest worker)}, 0, 0), "\n" unless $warm;
            $warm = 0;
        }
    });

# What was started ends with us, the last one first: a client would complain of a server that has gone.
# A signal waits while one is started: a child that is not known yet could not be ended.
my (%children, $started, $starting, $ended);
$SIG{TERM} = sub { $starting ? $ended = 1 : exit 143 };
END {
    my $status = $?;
    for my $child (sort { $children{$b} <=> $children{$a} } keys %children) {
        kill 'TERM', $child;
        waitpid $child, 0;
    }
    $? = $status;
}

sub complain { print STDERR "reckon: @_\n"; exit 125 }

sub random {
    my ($count) = @_;
    open my $random, '<', '/dev/urandom' or complain("/dev/urandom: $!");
    read($random, my $bytes, $count) == $count or complain("/dev/urandom: too short");
    return $bytes;
}

# Start a perl in a role with this line as its standard input; its process, and what it prints.
sub start {
    my ($perl, $input, @role) = @_;
    pipe(my $in, my $to) && pipe(my $from, my $out) or complain("pipe: $!");
    $starting = 1;
    defined(my $child = fork) or complain("fork: $!");
    if (!$child) {
        %children = ();
        $SIG{TERM} = 'DEFAULT';
        exit 143 if $ended;
        open STDIN, '<&', $in;
        open STDOUT, '>&', $out;
        close $_ for $in, $to, $from, $out;
        exec { $perl } $perl, '-e', $ENV{RECKON_SCRIPT}, @role or complain("$perl: $!");
    }
    $children{$child} = ++$started;
    $starting = 0;
    exit 143 if $ended;
    close $in;
    close $out;
    syswrite $to, "$input\n";
    return ($child, $from);
}

# Run it to its end; all that it prints.
sub run {
    my ($child, $from) = start(@_);
    my $text = join '', <$from>;
    waitpid $child, 0;
    delete $children{$child};
    $? == 0 && ($_[2] eq 'about' || $text =~ /^end\n\z/m)
        or complain("compare: $_[0]: ended with status " . ($? >> 8) . ($? ? '' : ' without a histogram'));
    return $text;
}

# Start B; its port.
sub start_server {
    my ($perl, $token) = @_;
    my (undef, $from) = start($perl, $token, 'server');
    my $line = <$from>;
    defined $line && $line =~ /^port (\d+)$/ or complain("compare: $perl: is no server");
    return $1;
}

$| = 1;
my $role = shift;
$roles{$role}->(@ARGV);
