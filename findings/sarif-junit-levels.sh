#!/bin/sh
# sarif-junit 1.1.4, on Node 26.10.0.
# By SARIF 2.1.0 a result without a `level` has that of its rule, or is a warning. sarif-junit writes a result as failed
# if it says `error` or `warning` itself: without a level it passes, and one that is suppressed fails. A result with
# `ruleIndex` in the place of `ruleId`, and the flags `--input` and `--output` of its page, give no report and the
# status 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . sarif-junit@1.1.4

cat > find.mjs <<'END'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const locations = [{ physicalLocation: { artifactLocation: { uri: 'api.js' }, region: { startLine: 3 } } }]
const message = { text: 'Unused' }
for (const [what, result] of Object.entries({
  'level error': { ruleId: 'unused', level: 'error', message, locations },
  'flags of its page': { ruleId: 'unused', level: 'error', message, locations },
  'no level': { ruleId: 'unused', message, locations },
  'no level, its rule says error': { ruleId: 'strict', message, locations },
  'level note': { ruleId: 'unused', level: 'note', message, locations },
  suppressed: { ruleId: 'unused', level: 'error', suppressions: [{ kind: 'inSource' }], message, locations },
  'ruleIndex alone': { ruleIndex: 0, level: 'error', message, locations },
  'no locations': { ruleId: 'unused', level: 'error', message },
})) {
  const rules = [{ id: 'unused' }, { id: 'strict', defaultConfiguration: { level: 'error' } }]
  const runs = [{ tool: { driver: { name: 'lint', rules } }, results: [result] }]
  writeFileSync('in.sarif', JSON.stringify({ version: '2.1.0', runs }))
  rmSync('out.xml', { force: true })
  const [input, output] = what === 'flags of its page' ? ['--input', '--output'] : ['-i', '-o']
  const { status } = spawnSync('node_modules/.bin/sarif-junit', [input, 'in.sarif', output, 'out.xml'])
  const report = existsSync('out.xml') ? /<testsuites [^>]*>/.exec(readFileSync('out.xml', 'utf8'))[0] : 'no report'
  console.log(`${what}: status ${status}, ${report}`)
}
END
cat > expected <<'END'
level error: status 0, <testsuites tests="1" failures="1" errors="0" skipped="0">
flags of its page: status 0, no report
no level: status 0, <testsuites tests="1" failures="0" errors="0" skipped="0">
no level, its rule says error: status 0, <testsuites tests="1" failures="0" errors="0" skipped="0">
level note: status 0, <testsuites tests="1" failures="0" errors="0" skipped="0">
suppressed: status 0, <testsuites tests="1" failures="1" errors="0" skipped="0">
ruleIndex alone: status 0, no report
no locations: status 1, no report
END
node find.mjs > seen
diff expected seen && echo 'as found'
