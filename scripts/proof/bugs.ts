/**
 * `npm run proof bugs`: tests each backend of the examples, without a bug and with each of its bugs, by a run of the suite
 * and, if that finds nothing, by a search of a minute. Prints what found which bug, and exits with code 1 if a bug stays
 * unseen or a backend without one is accused. Words after it: only lines that contain one of them, such as `django`, `saved`
 * or `"node without"`. `--seconds N`: how long to search; `--seed N`: the choices of the search; `--workers N`: so many at once.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { startProcessUntilReady } from '#cli/testing/run.ts'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { recheckKeyAfterSearch } from '#contract-tests/runner/lost-keys.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { Explorer } from '#contract-tests/search/explore.ts'
import { createHttpTarget } from '#contract-tests/targets/http.ts'
import { bugs } from '../../examples/backend-node/bugs.ts'
import { handleTasks, runInThreads } from './pool.ts'

/** The commands that start the backends, with the length of a run, and the bugs of each. */
const backends = {
  node: {
    command: [process.execPath, folderOf('backend-node/server.ts'), '--run-ms', '100'],
    bugs: Object.keys(bugs),
    consistency: 100,
  },
  // Without bugs that can be switched on.
  python: {
    command: ['python3', folderOf('backend-python/service.py'), '--run-seconds', '0.1'],
    bugs: [],
    consistency: 100,
  },
  // Debian installs Django for its own Python.
  django: {
    command: ['/usr/bin/python3', folderOf('backend-django/service.py'), '--run-ms', '100'],
    bugs: tagsIn(folderOf('backend-django/work/bugs.py')),
    consistency: 500,
  },
} as const satisfies Record<string, object>

function folderOf(path: string): string {
  return new URL(`../../examples/${path}`, import.meta.url).pathname
}

/** The names of bugs in a table of Python. */
function tagsIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^ {4}"([a-z-]+)":/gm)].flatMap(([, name]) => name ?? [])
}

/** A bug to look for in a backend; undefined if none is switched on. */
interface BugTask {
  readonly backend: keyof typeof backends
  readonly bug: string | undefined
  /** The length of the search, ms; 0 for only what a run without a search finds. */
  readonly ms: number
  readonly seed: number
}

const allowances = { runTimeout: 1_500, maxCredits: 20, extended: 'on' } as const

/** Findings of a run of the suite, or of the search that follows if that finds nothing, and the seconds until then. */
async function tryBug({ backend, bug, ms, seed }: BugTask) {
  const { command, consistency } = backends[backend]
  const [program, ...words] = command
  const flags = ['--port', '0', ...(bug === undefined ? [] : ['--bug', bug])]
  const { ready: facts, stop } = await startProcessUntilReady(program, [...words, ...flags])
  const access = {
    apiKey: facts.api_key,
    otherApiKey: facts.other_api_key,
    sessionCookie: facts.session_cookie,
    otherSessionCookie: facts.other_session_cookie,
    statesUrl: facts.states_url,
  }
  const target = createHttpTarget(facts.url)
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10
  try {
    const settings = settingsWithDefaults({ ...access, ...allowances, consistency })
    const run = await runSuite({ target, settings })
    const red = resultsWithOutcome(run, 'failed', 'warned').map(({ requirement }) => requirement.id)
    if (red.length > 0 || ms === 0) {
      const by = red.length > 0 ? ('run' as const) : undefined
      return { by, requirements: red, seconds: seconds(), requests: run.requests }
    }
    const explorer = new Explorer(settings, target, { until: { ms }, seed, clients: 8 })
    await explorer.run(({ findings }) => findings.some(({ confirmed }) => confirmed))
    const found = explorer.findings.filter(({ confirmed }) => confirmed)
    const isRevoked = explorer.t.recorder.revoked.size > 0
    const lost = isRevoked
      ? resultsWithOutcome(await recheckKeyAfterSearch(run, settings, target), 'failed')
      : []
    const requirements = [
      ...found.map(({ violation }) => violation.requirement),
      ...lost.map(({ requirement }) => requirement.id),
    ]
    const by = requirements.length > 0 ? ('search' as const) : undefined
    return { by, requirements, seconds: seconds(), requests: run.requests + explorer.transport.sent }
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
  const isWanted = (name: string) => positionals.length === 0 || positionals.some((one) => name.includes(one))
  const tasks = (Object.keys(backends) as (keyof typeof backends)[]).flatMap((backend) =>
    [undefined, ...backends[backend].bugs]
      .filter((bug) => isWanted(`${backend} ${bug ?? 'without a bug'}`))
      .map((bug): BugTask => ({ backend, bug, ms, seed })),
  )
  const wanted = tasks.filter(({ bug }) => bug !== undefined)
  const counts = { run: 0, search: 0 }
  const problems: string[] = []

  console.log(`${wanted.length} bugs, --seed ${seed}`)
  await runInThreads<BugTask, Awaited<ReturnType<typeof tryBug>>>(
    import.meta.url,
    tasks,
    ({ backend, bug }, { by, requirements, seconds, requests }) => {
      const what = by ? `${by}: ${requirements.join(' ')}` : 'nothing found'
      const name = `${backend} ${bug ?? 'without a bug'}`
      console.log(`${name}: ${what} (${seconds} s, ${requests} requests)`)
      if (by && bug !== undefined) counts[by]++
      if ((by === undefined) === (bug !== undefined)) problems.push(name)
    },
    Number(values.workers),
  )
  console.log(`${counts.run} found by a run, ${counts.search} more by the search, of ${wanted.length}`)
  if (problems.length > 0) console.log(`not as expected: ${problems.join(', ')}`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (isMainThread) await main()
else handleTasks(tryBug)
