# shellcheck shell=sh disable=SC2034,SC2154
# redis under load: each command's answer, what is kept when it saves, is killed and started again, and its digest.
needs='redis-server redis-tools'

units() { echo load; }
cli() { redis-cli -p "$port" "$@"; }
start() {
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under redis-server --port "$port" --bind 127.0.0.1 --dir "$PWD" --appendonly yes --save '' \
        --enable-debug-command yes --io-threads 2 --logfile log &
    server=$!
    until_true cli ping
}
commands() {
    seq 500 | awk '{
        print "set key:" $1, $1 * $1; print "incr counter"; print "lpush list", $1; print "zadd scores", $1 % 17, "m" $1
        print "hset hash f" $1, $1; print "get key:" int($1 / 2); print "lrange list 0 3"
    }'
    printf '%s\n' multi 'incr counter' 'rpop list' exec 'sort list limit 0 10' 'zrange scores 0 -1 withscores' \
        'eval "local s = 0 for i = 1, 100000 do s = s + i end return s" 0' 'object encoding hash' 'get none' 'lpush key:1 x' \
        'blpop nothing 1'
}
unit() {
    start
    commands | cli | nl | while read -r number line; do echo "$line" | answer "answer $number"; done
    cli bgsave | answer 'it saves in a child'
    until_true test -s dump.rdb
    redis-benchmark -p "$port" -n 20000 -c 20 -q -t set,get,lpush,lrange_100 -r 1 | sed 's/:.*//; s/.*\r//' | sort -u | answer 'the benchmark'
    cli bgrewriteaof | answer 'it rewrites its log'
    until_true sh -c "redis-cli -p $port info persistence | grep -q aof_rewrite_in_progress:0"
    cli debug digest >digest
    answer digest <digest
    kill -KILL "$(cli info server | tr -d '\r' | sed -n 's/^process_id://p')"
    wait $server || echo $? | answer 'exit status when it is killed'
    start
    cli debug digest | cmp - digest && echo same | answer 'its data after it was killed'
    cli shutdown | answer shutdown
    wait $server && echo 0 | answer 'exit status' || echo $? | answer 'exit status'
}
