#!/bin/sh
# parse-lcov 1.0.4 and lcov-parse 1.0.0, on Node 26.10.0.
# Two readers of the coverage of a test run. parse-lcov ends a value at its first colon, so that the files C:\a.js and
# webpack:///b.js are called `C` and `webpack`, and reads a report with CRLF as one of no files, without an error. A
# name with a comma, as C++ and Rust give, is cut by both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . lcov-parse@1.0.0 parse-lcov@1.0.4

cat > find.cjs <<'END'
const lcovParse = require('lcov-parse')
const parseLcov = require('parse-lcov').default

async function main() {
  for (const [name, report] of [
    ['a path', 'SF:src/a.js\nFN:1,run\nFNDA:2,run\nDA:1,2\nend_of_record\n'],
    ['a drive', 'SF:C:\\src\\a.js\nFN:1,run\nFNDA:2,run\nDA:1,2\nend_of_record\n'],
    ['an address', 'SF:webpack:///src/b.js\nFN:1,run\nFNDA:2,run\nDA:1,2\nend_of_record\n'],
    ['CRLF', 'SF:src/a.js\r\nFN:1,run\r\nFNDA:2,run\r\nDA:1,2\r\nend_of_record\r\n'],
    ['a comma', 'SF:src/a.cc\nFN:1,max<int, int>\nFNDA:2,max<int, int>\nDA:1,2\nend_of_record\n'],
  ]) {
    const show = (files) => JSON.stringify(files.map(({ file, functions }) => [file, functions.details.map(({ name, hit }) => [name, hit])]))
    console.log(name)
    console.log('  lcov-parse:', show(await new Promise((done) => lcovParse(report, (_, files) => done(files)))))
    console.log('  parse-lcov:', show(parseLcov(report)))
  }
}
main()
END
cat > expected <<'END'
a path
  lcov-parse: [["src/a.js",[["run",2]]]]
  parse-lcov: [["src/a.js",[["run",2]]]]
a drive
  lcov-parse: [["C:\\src\\a.js",[["run",2]]]]
  parse-lcov: [["C",[["run",2]]]]
an address
  lcov-parse: [["webpack:///src/b.js",[["run",2]]]]
  parse-lcov: [["webpack",[["run",2]]]]
CRLF
  lcov-parse: [["src/a.js",[["run",2]]]]
  parse-lcov: []
a comma
  lcov-parse: [["src/a.cc",[["max<int",2]]]]
  parse-lcov: [["src/a.cc",[["max<int",2]]]]
END
node find.cjs > seen
diff expected seen && echo 'as found'
