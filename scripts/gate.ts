/** The one gate: types, lint, walls, tests, each with its output; ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'check-'))
const results = join(folder, 'results.json')

const steps = [
  ['types', 'tsc', '--project', '.'],
  ['lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ['boundaries', 'node', 'scripts/boundaries.ts'],
  ['tests', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
] as const

let passed = 0
let failed = 0
for (const [name, command, ...args] of steps) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status === 0) passed++
  else failed++
}
try {
  const counts = JSON.parse(readFileSync(results, 'utf8'))
  passed += counts.numPassedTests
  failed += counts.numFailedTests
} catch {
  failed++
}
rmSync(folder, { recursive: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
