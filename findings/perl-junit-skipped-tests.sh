#!/bin/sh
# Debian's libtap-formatter-junit-perl 0.11-2 and libtap-harness-junit-perl 0.42-3, on Debian 12.
# Both write a JUnit report of a run of `prove`. In that of TAP::Formatter::JUnit a skipped test is one that passed.
# TAP::Harness::JUnit marks it, but counts those that are `TODO` and does not list them. Neither marks a file that
# was skipped whole.
set -eu
for package in libtap-formatter-junit-perl=0.11-2 libtap-harness-junit-perl=0.42-3; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > tasks.t <<'END'
use strict;
use warnings;
use Test::More;
ok 1, 'lists';
SKIP: { skip 'no server', 1; ok 1, 'pages' }
TODO: { local $TODO = 'no order yet'; ok 0, 'sorts' }
done_testing;
END
cat > file.t <<'END'
use Test::More skip_all => 'no server';
END
for name in tasks file; do
  /usr/bin/prove --formatter TAP::Formatter::JUnit "$name.t" > formatter.xml 2>/dev/null
  JUNIT_OUTPUT_FILE=harness.xml /usr/bin/prove --harness TAP::Harness::JUnit "$name.t" > /dev/null 2>&1
  for report in formatter harness; do
    counts=$(grep -o ' \(tests\|failures\|skipped\)="[0-9]*"' "$report.xml" | sort | tr -d '\n')
    listed=$(grep -c '<testcase' "$report.xml" || true)
    echo "$name, $report:$counts, listed $listed, marked $(grep -c '<skipped' "$report.xml" || true)"
  done
done > seen
cat > expected <<'END'
tasks, formatter: failures="0" tests="3", listed 3, marked 0
tasks, harness: failures="0" skipped="1" tests="3", listed 2, marked 1
file, formatter: failures="0" tests="0", listed 0, marked 0
file, harness: failures="0" skipped="0" tests="0", listed 0, marked 0
END
diff expected seen && echo 'as found'
