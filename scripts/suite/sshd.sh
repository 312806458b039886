# shellcheck shell=sh disable=SC2034,SC2154
# sshd under load: sessions with its sandbox, terminals, files both ways, and a port that is passed on; each answer counts.
packages=openssh-server needs='openssh-client util-linux bsdutils'

units() { echo load; }
client() { program=$1; shift; $program -q -F none -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile=none "$@"; }
on() { client ssh -p "$port" "$(id -un)@127.0.0.1" "$@"; }
configuration() {
    cat <<END
Port $port
ListenAddress 127.0.0.1
HostKey $PWD/host
PidFile $PWD/pid
AuthorizedKeysFile $PWD/key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
Subsystem sftp $home/packages/usr/lib/openssh/sftp-server
END
}
unit() {
    chmod 700 .
    ssh-keygen -q -t ed25519 -N '' -f key
    ssh-keygen -q -t ed25519 -N '' -f host
    configuration >configuration
    cp /etc/passwd passwd
    echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin' >>passwd
    mkdir -p /run/sshd
    # Its own user is there for it alone.
    # shellcheck disable=SC2086  # words
    timeout "$limit" unshare -m sh -c 'mount --bind passwd /etc/passwd && exec "$@"' sh \
        $under "$home/packages/usr/sbin/sshd" -D -e -f "$PWD/configuration" 2>log &
    server=$!
    until_true on true
    head -c 3000000 /dev/urandom | od -An -tx1 >data
    for status in 0 1 7 255; do { on "exit $status" || echo $?; } | answer "exit status $status"; done
    on 'kill -9 $$' >out || echo $? | answer 'a signal'
    on cat <data | cmp - data && echo same | answer 'data there and back'
    on 'env | grep -v -e ^SSH_ -e ^LD_PRELOAD=' | LC_ALL=C sort | answer 'the environment'
    on 'ls -l /proc/self/fd | wc -l' | answer 'open files'
    on 'ulimit -a; umask; grep -e ^Sig -e ^Shd /proc/self/status; pwd' | answer 'limits and signals'
    script -qec "$(cat <<END
ssh -tt -q -F none -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile=none -p $port $(id -un)@127.0.0.1 'tty -s; echo \$?; stty size'
END
)" /dev/null | tr -d '\r' | answer 'a terminal'
    seq 30 | xargs -P 5 -I N sh -c "ssh -q -F none -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile=none -p $port \
        $(id -un)@127.0.0.1 'echo N; seq 1000 | cksum'" | LC_ALL=C sort | answer '30 sessions, 5 at a time'
    printf 'put data %s/there\nget %s/there back\nls -1 %s/th*\n' "$PWD" "$PWD" "$PWD" >batch
    client sftp -P "$port" -b batch "$(id -un)@127.0.0.1" | grep -c . | answer sftp
    cmp data back && echo same | answer 'a file there and back'
    on -W "127.0.0.1:$port" </dev/null 2>&1 | head -c 8 | answer 'a port passed on'
    kill "$(cat pid)"
    wait $server && echo 0 | answer 'exit status' || echo $? | answer 'exit status'
    grep -c -i -e fatal -e violation log | answer 'complaints in its log'
}
