/** `mock`: reads options, creates the mock, listens, prints the banner and the log. */
import { setFlagsFromString } from 'node:v8'
import { createMock, type Mock } from '#mocks/app.ts'
import { type MockOptions, mockOptions } from '#mocks/config/options.ts'
import { type Address, type Listener, listen } from '#mocks/edges/http.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { readSettings } from '#mocks/scenarios/settings.ts'
import { write } from '../files.ts'
import { type Given, readCommandLine, UsageError } from '../flags.ts'
import { Values } from '../values.ts'
import { banner, type Ready } from './banner.ts'
import { mockCommand } from './flags.ts'
import { logLine } from './log.ts'
import { scenarioList } from './scenario-list.ts'

/** Exit codes: 0 stopped, 2 usage, 3 cannot listen. */
export async function runMock(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Journal entries would make V8 double its young generation, without benefit (docs/decisions/0005).
  setFlagsFromString('--semi-space-growth-factor=1')
  const given = readCommandLine(mockCommand, argv, env)
  if (given.values.listScenarios) {
    process.stdout.write(scenarioList(scenarios))
    return
  }
  const options = Object.fromEntries(
    Object.entries(given.values).filter(([name]) => name in mockOptions.shape),
  ) as MockOptions
  const problems = readSettings(options)
  if (Array.isArray(problems)) {
    throw new UsageError(
      problems.map(({ option, problem }) => `${given.sourceOf(option)} ${problem}`).join('; '),
    )
  }
  const { log, readyFile, ...address } = readProcessOptions(given)
  const mock = createMock(options)
  if (log !== 'off') mock.observe((exchange) => process.stdout.write(`${logLine(exchange, log)}\n`))
  const listener = await listenOrExit(mock, address)
  const ready = describe(mock, listener)
  try {
    if (readyFile !== undefined) write(readyFile, `${JSON.stringify(ready, null, 2)}\n`)
  } catch (error) {
    await listener.close()
    throw error
  }
  if (log === 'json') process.stdout.write(`${JSON.stringify({ event: 'listening', ...ready })}\n`)
  else process.stdout.write(banner(ready, mock.settings))
  const stop = () => void listener.close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  if (env.npm_lifecycle_event !== undefined) stopWithParent(stop)
}

/** npm runs the mock in a shell, and a signal to npm ends only that shell. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 50).unref()
}

function readProcessOptions(given: Given) {
  const { values, sourceOf } = given
  const { port = 4402 } = values
  if (typeof port === 'object' || !/^\d{1,5}$/.test(String(port)) || Number(port) > 65_535)
    throw new UsageError(`${sourceOf('port')} takes a port from 0 to 65535`)
  for (const option of ['host', 'log', 'readyFile', 'adminToken']) {
    const value = values[option] ?? 'none'
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`${sourceOf(option)} takes a non-empty text`)
  }
  const read = new Values(given)
  return {
    port: Number(port),
    host: read.text('host') ?? '127.0.0.1',
    log: read.choice('log', ['human', 'json', 'off'], 'human'),
    readyFile: read.text('readyFile'),
    adminToken: read.text('adminToken'),
  }
}

async function listenOrExit(mock: Mock, address: Address): Promise<Listener> {
  try {
    return await listen(mock, address)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'EADDRINUSE' ? 'the port is in use; --port 0 picks a free one' : (code ?? String(error))
    process.stderr.write(`mock: cannot listen on ${address.host}:${address.port}: ${why}\n`)
    process.exit(3)
  }
}

function describe(mock: Mock, { url, adminToken }: Listener): Ready {
  const { apiKey, otherApiKey, sessionCookie } = mock.credentials()
  const states = `${url}/__admin/states`
  return {
    url,
    pid: process.pid,
    api_key: apiKey,
    other_api_key: otherApiKey,
    session_cookie: sessionCookie,
    states_url: adminToken === undefined ? states : `${states}?token=${encodeURIComponent(adminToken)}`,
    ...(adminToken === undefined ? {} : { admin_token: adminToken }),
  }
}
