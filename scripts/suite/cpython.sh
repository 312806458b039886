# shellcheck shell=sh disable=SC2034,SC2154
# CPython's regression tests of what touches the system, by its own runner, with the Python of this release.
needs=python3
python=/usr/bin/python3
version=$($python -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
packages=lib$version-testsuite

# The packaged tests and the part of them that is installed already are one module.
build() {
    cp -rn "/usr/lib/$version/test" "$home/packages/usr/lib/$version/"
}
units() {
    for module in subprocess threading thread signal os posix io socket multiprocessing_fork multiprocessing_forkserver \
        multiprocessing_spawn multiprocessing_main_handling faulthandler asyncio selectors; do
        echo "test_$module"
    done
}
unit() { # MODULE
    export PYTHONPATH="$home/packages/usr/lib/$version"
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under $python -m test -q --tempdir="$PWD" --junit-xml="$PWD/result" "$1" >&2 || true
    $python - "$PWD/result" <<'END'
import sys, xml.etree.ElementTree as tree
from collections import Counter
seen = Counter()
for case in tree.parse(sys.argv[1]).iter('testcase'):
    what = {child.tag for child in case} & {'failure', 'error', 'skipped'}
    name = case.get('name')
    seen[name] += 1
    print(name + (' %d' % seen[name] if seen[name] > 1 else ''), what.pop() if what else 'passed', sep='\t')
END
}
