/**
 * `npm run proof bugs`: tests the backend in Node, without a bug and with each of its bugs, by a run of the suite and, if
 * that finds nothing, by a search of a minute. Prints what found which bug, and exits with code 1 if a bug stays unseen
 * or the backend without one is accused. Words after it: only bugs whose name contains one of them. `--seconds N`: how
 * long to search; `--seed N`: the choices of the search; `--workers N`: so many at once.
 */
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { startProgram } from '#cli/testing/run.ts'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { withLostKey } from '#contract-tests/runner/lost-keys.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { createExplorer } from '#contract-tests/search/explore.ts'
import { httpTarget } from '#contract-tests/targets/http.ts'
import { bugs } from '../../examples/backend-node/bugs.ts'
import { runInThreads, work } from './pool.ts'

/** A bug to look for; undefined: none is switched on. */
interface BugTask {
  readonly bug: string | undefined
  /** How long to search, ms; 0: only what a run without a search finds. */
  readonly ms: number
  readonly seed: number
}

/** The backend shows everything at once. */
const allowances = { consistency: 100, runTimeout: 1_500, maxCredits: 20, extended: 'on' } as const

/** What is found, by a run of the suite or by the search that follows if that finds nothing, and the seconds until then. */
async function tryBug({ bug, ms, seed }: BugTask) {
  const server = new URL('../../examples/backend-node/server.ts', import.meta.url).pathname
  const flags = ['--port', '0', '--run-ms', '100', ...(bug === undefined ? [] : ['--bug', bug])]
  const { ready: facts, stop } = await startProgram(process.execPath, [server, ...flags])
  const access = {
    apiKey: facts.api_key,
    otherApiKey: facts.other_api_key,
    sessionCookie: facts.session_cookie,
    otherSessionCookie: facts.other_session_cookie,
    statesUrl: facts.states_url,
  }
  const target = httpTarget(facts.url)
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10
  try {
    const settings = settingsWith({ ...access, ...allowances })
    const run = await runSuite({ target, settings })
    const red = resultsOf(run, 'failed', 'warned').map(({ requirement }) => requirement.id)
    if (red.length > 0 || ms === 0) {
      const by = red.length > 0 ? ('run' as const) : undefined
      return { by, requirements: red, seconds: seconds(), requests: run.requests }
    }
    const explorer = createExplorer(settings, target, { until: { ms }, seed, clients: 8 })
    await explorer.run(({ findings }) => findings.some(({ confirmed }) => confirmed))
    const found = explorer.findings.filter(({ confirmed }) => confirmed)
    const isRevoked = explorer.t.recorder.revoked.size > 0
    const lost = isRevoked ? resultsOf(await withLostKey(run, settings, target), 'failed') : []
    const requirements = [
      ...found.map(({ violation }) => violation.requirement),
      ...lost.map(({ requirement }) => requirement.id),
    ]
    const by = requirements.length > 0 ? ('search' as const) : undefined
    return { by, requirements, seconds: seconds(), requests: run.requests + explorer.wire.sent }
  } finally {
    await target.close()
    await stop()
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      workers: { type: 'string', default: '2' },
    },
  })
  const [ms, seed] = [Number(values.seconds) * 1_000, Number(values.seed)]
  const isWanted = (bug: string) => positionals.length === 0 || positionals.some((one) => bug.includes(one))
  const wanted = Object.keys(bugs).filter(isWanted)
  const tasks = [undefined, ...wanted].map((bug): BugTask => ({ bug, ms, seed }))
  const counts = { run: 0, search: 0 }
  const problems: string[] = []

  console.log(`${wanted.length} bugs, --seed ${seed}`)
  await runInThreads<BugTask, Awaited<ReturnType<typeof tryBug>>>(
    import.meta.url,
    tasks,
    ({ bug }, { by, requirements, seconds, requests }) => {
      const what = by ? `${by}: ${requirements.join(' ')}` : 'nothing found'
      console.log(`${bug ?? 'without a bug'}: ${what} (${seconds} s, ${requests} requests)`)
      if (by && bug !== undefined) counts[by]++
      if ((by === undefined) === (bug !== undefined)) problems.push(bug ?? 'without a bug')
    },
    Number(values.workers),
  )
  console.log(`${counts.run} found by a run, ${counts.search} more by the search, of ${wanted.length}`)
  if (problems.length > 0) console.log(`not as expected: ${problems.join(', ')}`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (isMainThread) await main()
else work(tryBug)
