/** The gate, `npm test`: types, lint, walls and tests; prints the output of each and ends with `N passed, N failed`. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'gate-'))
const results = join(folder, 'results.json')

const checks = [
  ['types', 'tsc', ['--project', '.']],
  ['lint', 'biome', ['ci', '--error-on-warnings', '.']],
  ['boundaries', 'node', ['scripts/boundaries.ts']],
] as const
const tests = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`]

interface Step {
  readonly status: number | null
  readonly output: string
}

/** Runs a command and collects what it prints. */
function run(command: string, args: readonly string[]): Promise<Step> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ status: 1, output: error.message }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

let passed = 0
let failed = 0
function report(title: string, { status, output }: Step): void {
  console.log(`\n== ${title}\n${output.trimEnd()}`)
  if (status === 0) passed++
  else failed++
}

await Promise.all(checks.map(async ([name, command, args]) => report(name, await run(command, args))))
console.log('\n== tests')
const { status } = spawnSync('vitest', tests, { stdio: 'inherit' })
if (status === 0) passed++
else failed++
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
