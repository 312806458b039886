# shellcheck shell=sh disable=SC2034,SC2154
# node under load: server, clients, files, threads and processes in one (node.js beside this); each answer counts.
needs=nodejs

units() { echo load; }
unit() {
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under node "$top/scripts/suite/node.js" || echo $? | answer 'exit status'
}
