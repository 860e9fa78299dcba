#!/bin/sh
# tap-xunit 2.4.1, tap-parser 18.3.4, on Node 26.10.0.
# A run that ends after one of three planned tests has failed, and tap-parser ends with 1. tap-xunit writes a report
# of one test that passed and ends with 0. Of a run that bails out it writes no report at all, also not of the tests
# before.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . tap-xunit@2.4.1 tap-parser@18.3.4

printf 'TAP version 13\n1..3\nok 1 - lists\n' > short.tap
printf 'TAP version 13\nok 1 - lists\nnot ok 2 - sorts\nBail out! no server\n' > bail.tap
for name in short bail; do
  status=0
  node_modules/.bin/tap-parser < "$name.tap" > /dev/null || status=$?
  echo "$name, tap-parser: status $status"
  status=0
  node_modules/.bin/tap-xunit < "$name.tap" > report.xml 2>/dev/null || status=$?
  counts=$(grep -o ' tests="[^>]*"' report.xml || true)
  echo "$name, tap-xunit: status $status, $(wc -c < report.xml | tr -d ' ') bytes${counts:+,$counts}"
done > seen
cat > expected <<'END'
short, tap-parser: status 1
short, tap-xunit: status 0, 159 bytes, tests="1" failures="0" errors="0" name="Default"
bail, tap-parser: status 1
bail, tap-xunit: status 1, 0 bytes
END
diff expected seen && echo 'as found'
