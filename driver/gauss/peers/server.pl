# The article's program B: a TCP server on the loopback. Prints its port; a request is one line, TOKEN COUNT MEAN SD DIF
# SEED, the answer what timed_dev() returns. The token comes on standard input.
use Socket;
$| = 1;
chomp(my $token = <STDIN>);
socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
bind($listener, sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!\n";
listen($listener, 5) or die "listen: $!\n";
print "port ", (sockaddr_in(getsockname($listener)))[0], "\n";
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
