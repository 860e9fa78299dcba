#!/bin/sh
# junit2json 4.0.0, on Node 26.10.0.
# Names of tests and suites, and the values of properties, are texts. Those that can be read as a number become one:
# the tests `1.1` and `1.10` have one name, `1e3` is 1, `0x10` is 0, an id of 20 digits is another, the ticket
# `00420` is 420.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . junit2json@4.0.0

cat > find.mjs <<'END'
import { parse } from 'junit2json'

for (const name of ['1.1', '1.10', '2 pages', '1e3', '0x10', '12345678901234567890']) {
  const report = await parse(`<testsuite name="tasks"><testcase name="${name}"/></testsuite>`)
  console.log(`${name}: ${JSON.stringify(report.testcase[0].name)}`)
}
const properties = '<properties><property name="ticket" value="00420"/></properties>'
const { testsuite } = await parse(`<testsuites><testsuite name="2026">${properties}</testsuite></testsuites>`)
console.log(JSON.stringify(testsuite))
END
cat > expected <<'END'
1.1: 1.1
1.10: 1.1
2 pages: "2 pages"
1e3: 1
0x10: 0
12345678901234567890: 12345678901234567000
[{"name":2026,"properties":[{"name":"ticket","value":420}]}]
END
node find.mjs > seen
diff expected seen && echo 'as found'
