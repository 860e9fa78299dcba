/** `npm run bench verify`: measures the time of verdicts and writes docs/benchmarks-verify.md. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { estimateRun } from '#cli/verify/catalogue.ts'
import { balanceQuietMs } from '#contract-tests/harness/deadlines.ts'
import { resultsWithOutcome, type SuiteRun } from '#contract-tests/harness/outcome.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import type { Duration } from '#mocks/core/clock.ts'
import { mutationsOfDefects } from '#proof/defects/index.ts'
import { createMutatedMock } from '#proof/mutations/mutation.ts'
import { serveOverHttp } from '#proof/trial.ts'
import { renderMarkdownTable } from '#reporting/markup.ts'
import { renderBarChart } from './results.ts'

interface Surroundings {
  /** Added to every answer, ms. */
  readonly latency: number
  /** The length of a run, such as `150ms`. */
  readonly runDuration: Duration
  /** The limit of each key, such as `15/1s`, or `off`. */
  readonly rateLimit: string
  /** Longest wait for a run to end, ms. */
  readonly runTimeout: number
  /** The defect of the service; undefined if there is none. */
  readonly defect?: string
}

const usual: Surroundings = { latency: 0, runDuration: '150ms', rateLimit: 'off', runTimeout: 10_000 }

interface Row extends Surroundings {
  readonly name: string
  /** Seconds; undefined: one and a half times the usual verdict, one --run-timeout, and the watch of the balance. */
  readonly goal?: number
}

const rows: readonly Row[] = [
  { name: 'usual', ...usual, goal: 5 },
  { name: 'latency 60 ms', ...usual, latency: 60, goal: 18 },
  { name: 'latency 150 ms', ...usual, latency: 150, goal: 45 },
  { name: 'runs of 1.5 s', ...usual, runDuration: '1500ms', goal: 12 },
  { name: 'runs of 20 s', ...usual, runDuration: '20s', runTimeout: 60_000, goal: 140 },
  { name: '15 requests a second', ...usual, rateLimit: '15/1s', goal: 40 },
  { name: 'a run never ends', ...usual, defect: 'run-never-finished' },
  { name: 'no refund', ...usual, defect: 'credits-no-refund' },
  { name: 'waiting runs are dropped', ...usual, defect: 'busy-dropped' },
]

let usualSeconds = 0
/** Seconds for which a balance must be still before a wrong one counts. */
const stillBalance = balanceQuietMs / 1_000

const everything = settingsWithDefaults({
  apiKey: 'k',
  otherApiKey: 'k',
  sessionCookie: 'c',
  otherSessionCookie: 'c',
  statesUrl: 's',
  extended: 'on',
  maxCredits: 20,
})
/** ms that an answer takes on an idle machine. */
const idle = 2

/** Seconds in mock time, which the load of the machine does not change. */
async function estimated({ latency, runDuration, rateLimit, defect }: Row): Promise<string> {
  if (defect !== undefined) return ''
  const speed = { latency: latency + idle, run: runDuration, rate: rateLimit }
  return ((await estimateRun(everything, speed)).ms / 1_000).toFixed(1)
}

/** Runs the suite once; its duration and its requests are in the result. */
async function measureVerdict(given: Surroundings): Promise<SuiteRun> {
  const { latency, runDuration, rateLimit, runTimeout, defect } = given
  const mutations = defect === undefined ? [] : mutationsOfDefects(defect)
  const mock = createMutatedMock(mutations, { credits: 40, rateLimit, runDuration })
  return serveOverHttp(mock, '', (http, access) => {
    const target = {
      ...http,
      async transport(...request: Parameters<typeof http.transport>) {
        if (latency > 0) await http.sleep(latency)
        return http.transport(...request)
      },
    }
    return runSuite({
      target,
      settings: settingsWithDefaults({ ...access, extended: 'on', maxCredits: 20, runTimeout }),
    })
  })
}

async function measureRow(row: Row) {
  const { name, goal, ...given } = row
  const run = await measureVerdict(given)
  const red = resultsWithOutcome(run, 'failed').map(({ requirement }) => requirement.id)
  const seconds = run.duration_ms / 1_000
  usualSeconds ||= seconds
  const wanted = goal ?? 1.5 * usualSeconds + given.runTimeout / 1_000 + stillBalance
  const reached = seconds <= wanted ? 'yes' : `no (${(seconds / wanted).toFixed(2)} of it)`
  const cells = [
    name,
    red.join(', ') || 'passed',
    seconds.toFixed(1),
    await estimated(row),
    wanted.toFixed(0),
    reached,
    String(run.requests),
    String(run.credits.spent),
  ]
  return { name, seconds, cells }
}

const measured: Awaited<ReturnType<typeof measureRow>>[] = []
for (const row of rows) {
  measured.push(await measureRow(row))
  console.log(measured.at(-1)?.cells.join(' | '))
}

const page = `# Time of a verdict

Written by \`npm run bench verify\`: one run each of the suite against the mock over HTTP, in one process on a machine with ${availableParallelism()} cores that others use too, with Node ${process.version}, in real time. Unless a row says otherwise, latency is 0, a run takes 150 ms, there is no limit, and \`--run-timeout\` is 10 s (60 s for runs of 20 s). Latency is added to every request. The column *in mock time* is the estimate of \`--plan\` with ${idle} ms more for each answer, which the load of the machine does not change. The goal of a red verdict is one and a half times the usual one, one \`--run-timeout\`, and the ${stillBalance} s for which a balance must be still before a wrong one counts.

${renderBarChart(
  'Seconds to a verdict',
  'seconds',
  measured.map(({ name, seconds }) => [name, seconds]),
  1,
)}

${renderMarkdownTable(
  ['service', 'verdict', 'seconds', 'in mock time', 'goal', 'reached', 'requests', 'credits'],
  measured.map(({ cells }) => cells),
)}

A verdict is slow where runs are long, since an organization runs one task at a time. A second organization (\`--other-api-key\`) shortens it, because failing runs, limits and outages are tested there meanwhile. Shorter runs shorten it further. What never happens is waited for once for the length of \`--run-timeout\`.
`
writeFileSync(new URL('../../docs/benchmarks-verify.md', import.meta.url), page)
