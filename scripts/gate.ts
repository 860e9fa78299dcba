/**
 * The gate, `npm test`: types, lint, import rules and tests at once. Prints the tests as they go, the output of everything
 * else when it ends, and then `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { availableParallelism, constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Files that the gate keeps for its next run, for a week at most: tests keep adding files of temporary folders. */
const kept = join(import.meta.dirname, '../node_modules/.cache/gate')
const since = statSync(kept, { throwIfNoEntry: false })?.birthtimeMs ?? 0
if (Date.now() - since > 7 * 24 * 3_600_000) rmSync(kept, { recursive: true, force: true })

/** Node compiles a module again only when it has changed; `tsc` collects no garbage (`GOGC`). */
const env = { ...process.env, NODE_COMPILE_CACHE: join(kept, 'compiled'), GOGC: 'off' }

/** Only files that have changed, or import changed ones, are checked again. */
const incremental = ['--incremental', '--tsBuildInfoFile', join(kept, 'types.json')]

const tests = (workers: number, ...projects: readonly string[]) => [
  ...['vitest', 'run', `--maxWorkers=${workers}`],
  ...projects.map((name) => `--project=${name}`),
]
const cores = availableParallelism()

/**
 * All steps run at once: tests in a browser or of processes mostly wait for it, and the other steps use that time.
 * Here, `tsc` with one thread takes half as long as with all.
 */
const steps: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '--project', '.', '--singleThreaded', ...incremental],
  lint: ['biome', 'ci', '--error-on-warnings', '.'],
  boundaries: ['node', 'scripts/boundaries.ts'],
  'browser tests': tests(cores, 'browser'),
  'process tests': tests(cores + 1, 'process'),
  tests: tests(cores, 'unit', 'proof', 'msw'),
}

/**
 * Runs a step. The output of `tests` is printed as it comes; its processes only get time that the other steps leave.
 */
function run(name: string, [command = '', ...args]: readonly string[]) {
  return new Promise<{ status: number | null; output: string }>((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const isLast = name === 'tests'
    if (isLast && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let output = ''
    const end = (status: number | null, text: string) => {
      console.log(`\n== ${name}\n${isLast && status !== null ? '' : text.trimEnd()}`)
      resolve({ status, output: stripVTControlCharacters(output) })
    }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        if (isLast) process.stdout.write(text)
        output += text
      })
    child.on('error', (error) => end(null, error.message))
    child.on('close', (status) => end(status, output))
  })
}

const counts = { passed: 0, failed: 0 }
/** Failures, repeated at the end: of a long log, people and CI services often show only the last lines. */
const failures: string[] = []

/** Counts a step that has ended, and the tests that it tells of. */
async function count([name, command]: readonly [string, readonly string[]]): Promise<void> {
  const { status, output } = await run(name, command)
  counts[status === 0 ? 'passed' : 'failed']++
  if (status !== 0) failures.push(`${name} (exit code ${status})`)
  const [told = ''] = /^ +Tests {2}.*\d.*$/m.exec(output) ?? []
  if (command[0] === 'vitest' && told === '') {
    counts.failed++
    failures.push(`${name}: it told no count of tests`)
  }
  for (const [, number, what] of told.matchAll(/(\d+) (passed|failed)/g))
    counts[what as keyof typeof counts] += Number(number)
  for (const [, test, error] of output.matchAll(/^ FAIL {2}(.*)\n(.*)$/gm)) failures.push(`${test}: ${error}`)
}

await Promise.all(Object.entries(steps).map(count))
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
