# The article's program C: PORT COUNT MEAN SD DIF SEED, computed by B. Prints the seconds from connecting to the last
# byte, then the server's answer. The token comes on standard input.
use strict;
use Socket;
use Time::HiRes ();
chomp(my $token = <STDIN>);
my ($port, @arguments) = @ARGV;
my ($wall, $answer) = (Time::HiRes::time(), '');
socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
connect($server, sockaddr_in($port, INADDR_LOOPBACK)) or die "connect: $!\n";
syswrite($server, "$token @arguments\n");
while (sysread($server, my $part, 65536)) {
    $answer .= $part;
}
print Time::HiRes::time() - $wall, "\n", $answer;
