# shellcheck shell=sh disable=SC2034,SC2154
# nginx under load: two workers, files of all sizes, ranges, a proxy, compression and a reload; each answer counts.
packages='nginx nginx-common' needs='curl libpcre2-8-0 libssl3 zlib1g'

units() { echo load; }
configuration() {
    cat <<END
worker_processes 2;
pid $PWD/pid;
error_log $PWD/errors;
events { worker_connections 256; }
http {
    access_log $PWD/log;
    sendfile on;
    aio threads;
    client_body_temp_path $PWD/body;
    proxy_temp_path $PWD/proxied;
    fastcgi_temp_path $PWD/f;
    uwsgi_temp_path $PWD/u;
    scgi_temp_path $PWD/s;
    server {
        listen 127.0.0.1:$port;
        root $PWD/www;
        location /zipped/ { alias $PWD/www/; gzip on; gzip_types *; }
        location /list/ { alias $PWD/www/; autoindex on; }
        location /proxied/ { proxy_pass http://127.0.0.1:$port/; }
        location /direct/ { alias $PWD/www/; directio 512; }
    }
}
END
}
get() { curl -s --max-time 60 -w ' %{http_code} %{size_download}' "$@"; }
unit() {
    chmod 755 .
    mkdir www f u s
    for size in 0 1 4095 4096 100000 3000000; do
        yes "a line of $size" | head -c $size >www/$size
        touch -d @1000000000 www/$size
    done
    configuration >configuration
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under "$home/packages/usr/sbin/nginx" -p "$PWD" -c "$PWD/configuration" -g 'daemon off;' &
    server=$!
    until_true curl -s -o none "http://127.0.0.1:$port/1"
    for folder in '' zipped/ proxied/ direct/ list/; do
        for size in 0 1 4095 4096 100000 3000000 nothing ''; do
            get --compressed "http://127.0.0.1:$port/$folder$size" | sed 's/127.0.0.1:[0-9]*//' | answer "/$folder$size"
        done
    done
    get -r 4000-5000 "http://127.0.0.1:$port/100000" | answer 'a range'
    get -r 0-9,90000-90009 -o none "http://127.0.0.1:$port/100000" | answer 'two ranges'
    get -X POST --data-binary @www/3000000 "http://127.0.0.1:$port/1" | answer 'a body'
    seq 400 | xargs -P 8 -I N curl -s --max-time 60 -o none -w '%{http_code} %{size_download}\n' \
        "http://127.0.0.1:$port/proxied/100000" | LC_ALL=C sort | uniq -c | answer '400 requests, 8 at a time'
    kill -HUP "$(cat pid)"
    for n in $(seq 50); do get "http://127.0.0.1:$port/4096"; done | answer '50 requests while it is reloaded'
    kill -QUIT "$(cat pid)"
    wait $server && echo 0 | answer 'exit status' || echo $? | answer 'exit status'
    wc -l <log | answer 'lines of its log'
}
