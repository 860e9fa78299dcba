/**
 * The gate, `npm test`: types, lint, walls and tests at once. Prints the tests as they go, the output of everything
 * else when it ends, and then `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'gate-'))

/** What the gate keeps for its next run, up to a week, since what tests make in temporary folders adds to it. */
const kept = join(import.meta.dirname, '../node_modules/.cache/gate')
const since = statSync(kept, { throwIfNoEntry: false })?.birthtimeMs ?? 0
if (Date.now() - since > 7 * 24 * 3_600_000) rmSync(kept, { recursive: true, force: true })

/** Node compiles a module again, without its types, only when it has changed; the check of types collects no garbage. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(kept, 'compiled'), GOGC: 'off' }

/** Files that neither changed nor import what did are not checked again. */
const incremental = ['--incremental', '--tsBuildInfoFile', join(kept, 'types.json')]

/** A run of tests whose counts are read from its report. */
const tests = (name: string, ...args: string[]) => {
  const report = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return { name, command: 'vitest', args: ['run', ...args, ...reporters], report }
}

const cores = availableParallelism()

/**
 * All at once: tests in a browser or of processes mostly wait for them, the others compute meanwhile. One thread checks
 * types in half of the time of all.
 */
const steps: readonly Command[] = [
  { name: 'types', command: 'tsc', args: ['--project', '.', '--singleThreaded', ...incremental] },
  { name: 'lint', command: 'biome', args: ['ci', '--error-on-warnings', '.'] },
  { name: 'boundaries', command: 'node', args: ['scripts/boundaries.ts'] },
  tests('browser tests', '--project=browser', `--maxWorkers=${cores}`),
  tests('process tests', '--project=process', `--maxWorkers=${cores}`),
  {
    ...tests(
      'tests',
      ...['unit', 'proof', 'msw'].map((name) => `--project=${name}`),
      `--maxWorkers=${cores}`,
    ),
    live: true,
    givesWay: true,
  },
]

interface Command {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Where vitest writes its counts. */
  readonly report?: string
  /** Whether its output is printed as it comes. */
  readonly live?: boolean
  /** Whether it runs only where the others leave a core idle. */
  readonly givesWay?: boolean
}

function run({ name, command, args, live, givesWay }: Command): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    if (givesWay && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let output = ''
    const end = (status: number | null, text: string) => {
      console.log(`\n== ${name}\n${text.trimEnd()}`)
      resolve(status)
    }
    const print = (text: Buffer) => {
      if (live) process.stdout.write(text)
      else output += text
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', print)
    child.on('error', (error) => end(1, error.message))
    child.on('close', (status) => end(status, output))
  })
}

let passed = 0
let failed = 0
/** What failed, said once more at the end: of a long log, people and CI services often show only the last lines. */
const failures: string[] = []

interface FileResult {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages: readonly string[]
  }[]
}

/** The failed tests of a file, each with the first line of its error; the file itself, if it could not be loaded. */
function failuresOf({ name, status, message, assertionResults }: FileResult): string[] {
  const file = relative(process.cwd(), name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && tests.length === 0) return [`${file}: ${message.split('\n')[0]}`]
  return tests.map((test) => `${file}: ${test.fullName}: ${test.failureMessages[0]?.split('\n')[0]}`)
}

/** Counts a step that has ended, and the tests in its report. */
function count({ name, report }: Command, status: number | null): void {
  if (status === 0) passed++
  else failed++
  if (status !== 0) failures.push(`${name} (exit code ${status})`)
  if (!report) return
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'))
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    failures.push(...counts.testResults.flatMap(failuresOf))
  } catch {
    failed++
    failures.push(`${name}: there is no report`)
  }
}

await Promise.all(steps.map(async (step) => count(step, await run(step))))
rmSync(folder, { recursive: true })
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
