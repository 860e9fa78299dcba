/** A thread of `npm run proof bugs`: starts the backend in Node with the bug that it receives, and tests it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parentPort } from 'node:worker_threads'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { Explorer } from '#contract-tests/search/explore.ts'
import { httpTarget } from '#contract-tests/targets/http.ts'

/** A bug to look for; undefined: none is switched on. */
export interface BugTask {
  readonly bug: string | undefined
  /** How long to search, ms; 0: only what a run without a search finds. */
  readonly ms: number
  readonly seed: number
}

/** What was found, by a run of the suite and by the search that followed because that found nothing. */
export interface BugResult {
  readonly by: 'run' | 'search' | undefined
  readonly requirements: readonly string[]
  /** Until the first finding of the search, or the end. */
  readonly seconds: number
  readonly requests: number
}

/** The backend shows everything at once. */
const allowances = { consistency: 100, runTimeout: 1_500, maxCredits: 20, extended: 'on' } as const

async function tryBug({ bug, ms, seed }: BugTask): Promise<BugResult> {
  const server = new URL('../../examples/backend-node/server.ts', import.meta.url).pathname
  const flags = ['--port', '0', '--run-ms', '100', ...(bug === undefined ? [] : ['--bug', bug])]
  const service = spawn(process.execPath, [server, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(service.stdout), 'line')
  const facts = JSON.parse(line)
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
      const by = red.length > 0 ? 'run' : undefined
      return { by, requirements: red, seconds: seconds(), requests: run.requests }
    }
    const explorer = new Explorer(settings, target, { until: { ms }, seed, clients: 8 })
    await explorer.run(({ findings }) => findings.some(({ confirmed }) => confirmed))
    const found = explorer.findings.filter(({ confirmed }) => confirmed)
    const requirements = found.map(({ violation }) => violation.requirement)
    const by = found.length > 0 ? 'search' : undefined
    return { by, requirements, seconds: seconds(), requests: run.requests + explorer.wire.sent }
  } finally {
    await target.close()
    service.kill()
  }
}

parentPort?.on('message', async (task: BugTask) => parentPort?.postMessage(await tryBug(task)))
