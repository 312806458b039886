# One line about this perl: version, threads or not, shared libperl or not, and the file that runs.
use Config;
printf "perl %vd, %s threads, %s libperl\n", $^V, $Config{usethreads} ? 'with' : 'without',
    $Config{useshrplib} && $Config{useshrplib} ne 'false' ? 'shared' : 'static';
if (open my $maps, '<', '/proc/self/maps') {
    my %seen;
    while (<$maps>) {
        next unless m{^\S+ \S+ \S+ (\S+) (\d+)\s+(/\S*)} && $2;
        my ($device, $inode, $file) = ($1, $2, $3);
        next unless $file =~ m{/(libperl|libc|libm)[-.]} || $file =~ m{/perl[^/]*$} || $file eq (readlink '/proc/self/exe' || '');
        print "$device:$inode $file\n" unless $seen{$file}++;
    }
}
