#!/bin/sh
# -f prometheus: Prometheus's own parser reads it, and each sample is what JSON has.
. "$TOP/tests/cli/helpers"
ln -s "$FIXTURES/primes" primes
name=$(printf 'a "b\\\n\303\244\377')
counted() { # OPTION...: each run makes the same calls
    "$RECKON" run -o report "$@" -- sh -c './primes; cat missing; head -c 3 /dev/zero; :' "$name" >/dev/null 2>&1
}
cat >check.py <<'END'
import collections, json, subprocess, sys
from prometheus_client.parser import text_string_to_metric_families
text, report = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
pid, timed = sys.argv[3:4], "--time" in sys.argv
found, types, seen = collections.Counter(), {}, set()
for family in text_string_to_metric_families(text):
    assert family.name not in types, f"{family.name}: in two pieces"
    types[family.name] = family.type
    assert family.documentation and family.samples, family.name
    for sample in family.samples:
        labels = dict(sample.labels)
        key = (sample.name, tuple(sorted(labels.items())))
        assert key not in seen, f"twice: {key}"
        seen.add(key)
        assert labels.pop("command").startswith("sh -c "), sample
        if pid and pid[0] != "--time":
            assert labels.pop("pid") == pid[0], sample
        found[(sample.name, tuple(sorted(labels.items())))] = sample.value
expected, durations = {}, set()
def put(metric, value, **labels):
    expected[("libcount_" + metric, tuple(sorted(labels.items())))] = value
put("processes", report["processes"])
put("running", int("running" in report))
if "exit" in report:
    put("exit_status", report["exit"]["status"])
for reason in report["uncounted"]:
    put("uncounted", 1, reason=reason)
if "startup_system_calls" in report:
    put("startup_system_calls_total", report["startup_system_calls"])
for kind in "library", "system":
    def rows(prefix, rows, **more):
        for row in rows:
            labels = dict(name=row["name"], family=row["family"], **more)
            put(f"{prefix}{kind}_calls_total", row["calls"], **labels)
            for errno, errors in row.get("errnos", {}).items():
                put(f"{prefix}{kind}_call_errors_total", errors, errno=errno, **labels)
            if more:
                continue
            if row["errors"] is None:
                put("system_call_errors_unseen", 1, **labels)
            if row.get("bytes") is not None:
                put(f"{kind}_call_bytes_total", row["bytes"], **labels)
            if timed:
                durations.add(f"libcount_{kind}_call_duration_seconds")
                put(f"{kind}_call_duration_seconds_count", row["calls"], **labels)
            for caller, calls in row.get("callers", {}).items():
                put("library_calls_by_caller_total", calls, caller=caller, **labels)
    rows("", report[f"{kind}_calls"])
    for program in report.get("programs", []):
        rows("program_", program[f"{kind}_calls"], program=program["name"])
times = {}
for (name, labels), value in list(found.items()):
    metric = name[:-4] if name.endswith("_sum") else name
    if metric in durations and not name.endswith("_count"):
        labels = dict(labels)
        quantile = labels.pop("quantile", "sum")
        times.setdefault((metric, tuple(sorted(labels.items()))), {})[quantile] = value
        del found[(name, tuple(sorted(dict(labels, **({} if quantile == "sum" else {"quantile": quantile})).items())))]
waited = {key: value for key, value in found.items() if key[0].endswith("_waiting_seconds_total")}
for (name, labels), value in waited.items():
    assert 0 < value <= times[(name.replace("waiting_seconds_total", "duration_seconds"), labels)]["sum"], (name, labels)
    del found[(name, labels)]
assert bool(waited) == any(row.get("waited_ns") for row in report["system_calls"] + report["library_calls"]), "waited"
for of, row in times.items():
    assert set(row) == {"0", "0.5", "0.99", "1", "sum"}, (of, row)
    assert 0 <= row["0"] <= row["0.5"] <= row["0.99"] <= row["1"] <= row["sum"] < 60, (of, row)
assert len(times) == sum(name.endswith("_seconds_count") for name, _ in expected), "summaries"
if dict(found) != expected:
    print("missing or other:", sorted(set(expected.items()) - set(found.items()))[:5])
    print("too many or other:", sorted(set(found.items()) - set(expected.items()))[:5])
    sys.exit(1)
for family, type in types.items():
    wanted = "summary" if family in durations else "gauge" if family.split("_", 1)[1] in (
        "processes", "running", "exit_status", "uncounted", "system_call_errors_unseen") else "counter"
    assert type == wanted, (family, type)
END
for options in '' --level=calls --level=syscalls '--by=program --callers --bytes' '--time --family=open,lstat,process' --whole --errors; do
    # shellcheck disable=SC2086 # several options
    counted $options -f prometheus && mv report metrics
    # shellcheck disable=SC2086
    counted $options -f json || bad "no report with $options"
    case $options in *--time*) timed=--time ;; *) timed= ;; esac
    try 0 /usr/bin/python3 check.py metrics report $timed
    [ ! -s out ] || bad "with '$options': $(cat out)"
done

# Names of any bytes are a label all the same; the exit status is the shell's.
try 143 "$RECKON" run --level=calls -f prometheus -o metrics sh -c 'kill $$' "$name"
same "the status of a signal" 143 "$(sed -n 's/^libcount_exit_status{.*} //p' metrics)"
same "the label" "command=\"sh -c 'kill \$\$' 'a \\\"b\\\\\\nä�'\"" "$(sed -n 's/^libcount_running{\(.*\)} 0/\1/p' metrics)"

# What is no metric is refused before anything runs.
for option in --files --misses --by=mount --by=process --against=report; do
    rm -f touched
    try 125 "$RECKON" run -f prometheus "$option" touch touched
    says err "--format: prometheus: "
    [ ! -e touched ] || bad "$option: the command has run"
done
try 125 "$RECKON" compare -f prometheus true true
says err "not one of table, json, csv"

# All runs that go on, each with its process; they come and go while it looks.
mkfifo go
for i in 1 2; do
    "$RECKON" run -o report.$i -f json sh -c ': >begun.$0; read x; :' $i <go >/dev/null 2>&1 &
    eval "run$i=$!"
done
exec 7>go
wait_until test -e begun.1 && wait_until test -e begun.2
try 0 "$RECKON" show -f prometheus -o all.prom
# shellcheck disable=SC2154 # by eval
for run in "$run1" "$run2"; do
    pid=$(pgrep -P "$run" -x sh)
    same "series of $pid" 1 "$(grep -c "^libcount_running{command=\"sh -c .*,pid=\"$pid\"} 1\$" all.prom)"
    "$RECKON" show -f prometheus "$pid" >one.prom
    "$RECKON" show -f json "$pid" >one.json
    try 0 /usr/bin/python3 check.py one.prom one.json "$pid"
    [ ! -s out ] || bad "show $pid: $(cat out)"
done
try 0 /usr/bin/python3 -c 'import sys; from prometheus_client.parser import text_string_to_metric_families as f
assert sum(1 for _ in f(open(sys.argv[1]).read())) > 3' all.prom
exec 7>&-
wait
finish
