# shellcheck shell=sh disable=SC2034,SC2154
# PostgreSQL under load: SQL with parallel workers, four clients at once, and a back end that is killed; each answer counts.
version=$(apt-cache show postgresql 2>/dev/null | sed -n 's/^Depends: postgresql-\([0-9]*\).*/\1/p' | head -n 1)
packages="postgresql-$version postgresql-client-$version" needs='libpq5 libxml2 util-linux'
bin=$cache/postgres/packages/usr/lib/postgresql/$version/bin

units() { echo load; }
# It refuses to be root.
as_user() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
sql() { as_user "$PWD/bin/psql" -X -A -t -h "$PWD" -p "$port" -U tester -v ON_ERROR_STOP=0 "$@" postgres 2>&1; }
statements() {
    cat <<'END'
create table numbers as select n, n * n % 1009 as square, md5(n::text) as text from generate_series(1, 60000) n;
create index on numbers (square);
analyze numbers;
select count(*), sum(square), min(text), max(text) from numbers;
set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;
select square, count(*) from numbers group by square order by 2 desc, 1 limit 5;
select count(*) from numbers a join numbers b on a.square = b.n;
begin; delete from numbers where n % 2 = 0; rollback;
begin; update numbers set text = 'x' where n < 100; commit;
select count(*) from numbers where text = 'x';
select 1 / 0;
select pg_sleep(0.05);
set statement_timeout = 50; select pg_sleep(5);
set statement_timeout = 0;
create function f(int) returns int language plpgsql as $$ begin return $1 + 1; exception when others then return 0; end $$;
select sum(f(n)) from numbers;
copy (select * from numbers order by n limit 3) to stdout;
copy (select 'through a program') to program 'cat 1>&2';
checkpoint;
vacuum full numbers;
select pg_size_pretty(pg_relation_size('numbers'));
END
}
unit() {
    chmod 777 .
    # A copy that another user reaches, wherever the packages lie.
    cp -r "$home/packages/usr" .
    ln -s "usr/lib/postgresql/$version/bin" bin
    # shellcheck disable=SC2086  # words
    as_user $under bin/initdb -D "$PWD/data" -U tester -A trust --no-sync -E UTF8 --locale=C 2>&1 |
        grep -c ok | answer initdb
    # shellcheck disable=SC2086  # words
    as_user timeout "$limit" $under bin/postgres -D "$PWD/data" -k "$PWD" -p "$port" -c listen_addresses=127.0.0.1 \
        -c dynamic_shared_memory_type=posix >log 2>&1 &
    server=$!
    until_true sh -c "'$PWD/bin/pg_isready' -q -h '$PWD' -p $port"
    number=0
    statements | while read -r line; do
        number=$((number + 1))
        sql -c "$line" </dev/null | answer "$number: $line"
    done
    as_user "$PWD/bin/pgbench" -q -i -h "$PWD" -p "$port" -U tester postgres >init 2>&1
    as_user "$PWD/bin/pgbench" --random-seed=7 -c 4 -j 2 -t 250 -h "$PWD" -p "$port" -U tester postgres 2>&1 |
        grep -e 'actually processed' -e 'failed' | answer 'four clients'
    sql -c 'select sum(abalance), count(*) from pgbench_accounts; select sum(delta), count(*) from pgbench_history' |
        answer 'what they did'
    kill -KILL "$(sql -c 'select pid from pg_stat_activity where pid <> pg_backend_pid() limit 1')"
    until_true sh -c "grep -q 'ready to accept connections' log && '$PWD/bin/pg_isready' -q -h '$PWD' -p $port"
    until_true sql -c 'select 1'
    sql -c 'select sum(abalance) from pgbench_accounts' | answer 'its data after a process was killed'
    kill -INT "$(head -n 1 data/postmaster.pid)"
    wait $server && echo 0 | answer 'exit status' || echo $? | answer 'exit status'
    grep -c -e PANIC -e 'signal 11' -e 'signal 7' log | answer 'crashes in its log'
}
