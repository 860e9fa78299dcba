#!/bin/sh
# node:test, its junit reporter, on Node 26.10.0, with junit-to-ctrf 0.0.14 and test-results-parser 0.4.6.
# A test marked `todo` that fails is no failure: the run counts none and ends with 0. Its JUnit report has a `failure` for
# that test nevertheless, beside `skipped`, and its suite says failures="1". What reads the report takes the run for a
# failed one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  junit-to-ctrf@0.0.14 test-results-parser@0.4.6

cat > tasks.test.mjs <<'END'
import assert from 'node:assert'
import { describe, it } from 'node:test'

describe('tasks', () => {
  it('lists', () => undefined)
  it.todo('sorts', () => assert.equal(1, 2))
})
END
cat > find.mjs <<'END'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { convertJUnitToCTRFReport } from 'junit-to-ctrf'
import { parse } from 'test-results-parser'

const { NODE_TEST_CONTEXT, ...env } = process.env
const reporters = ['junit', 'report.xml', 'tap', 'report.tap'].map((value, at) =>
  at % 2 ? `--test-reporter-destination=${value}` : `--test-reporter=${value}`)
const { status } = spawnSync(process.execPath, ['--test', ...reporters, 'tasks.test.mjs'], { env })
console.log(`node: status ${status}, ${/fail \d/.exec(readFileSync('report.tap', 'utf8'))}`)
const report = readFileSync('report.xml', 'utf8')
console.log(`report: ${/failures="\d"/.exec(report)}, ${report.match(/<(skipped|failure) type="\w+"/g).join(', ')}`)
const { summary } = (await convertJUnitToCTRFReport('report.xml', {})).results
console.log(`junit-to-ctrf: passed ${summary.passed}, failed ${summary.failed}, skipped ${summary.skipped}`)
console.log('test-results-parser:', parse({ type: 'junit', files: ['report.xml'] }).status)
END
cat > expected <<'END'
node: status 0, fail 0
report: failures="1", <skipped type="todo", <failure type="testCodeFailure"
junit-to-ctrf: passed 1, failed 1, skipped 0
test-results-parser: FAIL
END
node find.mjs > seen
diff expected seen && echo 'as found'
