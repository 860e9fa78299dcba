#!/bin/sh
# junit-to-ctrf 0.0.14, test-results-parser 0.4.6, with the junit reporter of node:test, on Node 26.10.0.
# The reporter writes a test() that is in no suite right below `testsuites`, and a suite in a suite as an inner
# `testsuite`. junit-to-ctrf does not see the first, test-results-parser sees neither: a run with two failures of three
# tests reads as one that passed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  junit-to-ctrf@0.0.14 test-results-parser@0.4.6

cat > tasks.test.mjs <<'END'
import assert from 'node:assert'
import { describe, it, test } from 'node:test'

test('starts', () => assert.equal(1, 2))
describe('tasks', () => {
  it('lists', () => undefined)
  describe('pages', () => {
    it('ends', () => assert.equal(1, 2))
  })
})
END
cat > find.mjs <<'END'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { convertJUnitToCTRFReport } from 'junit-to-ctrf'
import { parse } from 'test-results-parser'

const { NODE_TEST_CONTEXT, ...env } = process.env
const reporter = ['--test-reporter=junit', '--test-reporter-destination=report.xml']
const { status } = spawnSync(process.execPath, ['--test', ...reporter, 'tasks.test.mjs'], { env })
const report = readFileSync('report.xml', 'utf8')
console.log(`node: status ${status}, ${report.match(/<testcase name="\w+"/g).length} tests`)
const { tests } = (await convertJUnitToCTRFReport('report.xml', {})).results
console.log('junit-to-ctrf:', tests.map((each) => `${each.name} ${each.status}`).join(', '))
const result = parse({ type: 'junit', files: ['report.xml'] })
const cases = result.suites.flatMap((suite) => suite.cases)
console.log('test-results-parser:', cases.map((each) => `${each.name} ${each.status}`).join(', '))
END
cat > expected <<'END'
node: status 1, 3 tests
junit-to-ctrf: lists passed, ends failed
test-results-parser: lists PASS
END
node find.mjs > seen
diff expected seen && echo 'as found'
