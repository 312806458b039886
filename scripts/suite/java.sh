# shellcheck shell=sh disable=SC2034,SC2154
# Java under load: server, clients, files, threads and processes in one (Java.java beside this), with each collector.
needs=default-jdk-headless

units() { printf '%s\n' Serial Parallel G1 Z Shenandoah; }
build() { javac -d . "$top/scripts/suite/Java.java"; }
unit() { # COLLECTOR
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under java -Xmx256m "-XX:+Use$1GC" -cp "$home/source" Java || echo $? | answer 'exit status'
}
