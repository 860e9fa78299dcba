/** `mock`: creates the mock, listens, and serves until it is stopped or the command after `--` has ended. */
import { setFlagsFromString } from 'node:v8'
import { createMock, type Mock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import type { GivenOptions } from '../flags.ts'
import { environmentWithoutProxy } from '../no-proxy.ts'
import { logError, logListenError, printText } from '../screen.ts'
import {
  bannerText,
  type ConnectionInfo,
  changedOptionFlags,
  connectionEnvironmentVariables,
  logRequests,
  mockStartData,
  optionDifferenceFlags,
  removeOldReadyFile,
  ruleTextWithRemainingUses,
  scenarioListText,
  writeReadyFile,
} from './banner.ts'
import { type MockCommandOptions, readMockOptions } from './options.ts'
import type { RunningCommand } from './run-command.ts'
import type { ServedMock } from './state-file.ts'

/**
 * Runs `mock`. Exit codes: 0 stopped, 1 the last changes are not in the state file, 2 usage, 3 cannot listen; with a
 * command, the exit code of the command or of the report on it.
 */
export async function runMock(given: GivenOptions, env: NodeJS.ProcessEnv): Promise<undefined> {
  if (given.values.listScenarios) return printText(scenarioListText(scenarios))
  const options = readMockOptions(given)
  const { command, readyFile } = options
  const { mock, served } = await createOrRestore(options)
  if (readyFile !== undefined) removeOldReadyFile(readyFile)
  const { host, port } = options.address
  const listener = await listen(served, options.address).catch((error) =>
    process.exit(logListenError('mock', `${host}:${port}`, error)),
  )
  // Journal entries would make V8 double its young generation, without benefit (docs/decisions/0005).
  setFlagsFromString('--semi-space-growth-factor=1')
  // Before the lock on the file is released.
  process.prependOnceListener('exit', () => {
    if (served.save?.() === false) process.exitCode ||= 1
  })
  const ready = mockStartData(mock, listener)
  let running: RunningCommand | undefined
  const end = (signal: NodeJS.Signals) => {
    if (running) running.signal(signal)
    else void listener.close().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  try {
    if (readyFile !== undefined) writeReadyFile(readyFile, ready)
  } catch (error) {
    await listener.close()
    throw error
  }
  announce(mock, ready, options)
  if (env.npm_lifecycle_event !== undefined) endWithParent(() => end('SIGTERM'))
  if (command.length === 0) return
  const { writeClientReports, startClientCommand } = await import('./run-command.ts')
  running = startClientCommand(command, {
    ...environmentWithoutProxy(ready.url, env),
    ...connectionEnvironmentVariables(ready),
  })
  const ending = await running.ended
  await listener.close()
  if (!ending.started) logError('mock', ending.note)
  process.exit(writeClientReports(mock, options, ending))
}

/** Prints the banner and begins the log. Standard output belongs to the command, if there is one. */
function announce(
  mock: Mock,
  ready: ConnectionInfo,
  { command, log, logBodies, state }: MockCommandOptions,
): void {
  const output = command.length > 0 ? process.stderr : process.stdout
  if (log !== 'off') logRequests(mock, log, logBodies, (text) => output.write(text))
  if (log === 'json') {
    const faults = mock.faults.list().map((rule) => ({ id: rule.id, rule: ruleTextWithRemainingUses(rule) }))
    const { scenario, options } = mock.settings
    const changes = { scenario: scenario?.id ?? null, faults, options: changedOptionFlags(options) }
    output.write(`${JSON.stringify({ event: 'listening', ...ready, ...changes })}\n`)
  } else if (log === 'human' || command.length === 0) {
    const time = new Date(mock.clock.now()).toISOString()
    const kept = state === undefined ? undefined : `${state}; mock time ${time}`
    output.write(bannerText(ready, mock.settings, mock.faults.list(), kept))
  }
}

async function createOrRestore(given: MockCommandOptions): Promise<{ mock: Mock; served: ServedMock }> {
  const { mock: options, state, stateSync, from, until } = given
  if (from !== undefined) {
    const { mock, notes } = await (await import('./from.ts')).createMockFromRecording(from, until)
    for (const note of notes) logError('mock', note)
    return { mock, served: mock }
  }
  if (state === undefined) {
    const mock = createMock(options)
    return { mock, served: mock }
  }
  const { persistState, lockAndLoadState } = await import('./state-file.ts')
  const { file, mock: restored } = lockAndLoadState(state, options.slots)
  const mock = restored ?? createMock(options)
  const { slots: _, ...lasting } = options
  const ignored = restored ? optionDifferenceFlags(lasting, restored.settings.options) : []
  if (ignored.length > 0)
    logError('mock', `${state} holds the options that its mock began with; no effect: ${ignored.join(' ')}`)
  return { mock, served: persistState(mock, file, stateSync) }
}

/** Ends the mock when its parent ends: npm runs it in a shell, and a signal to npm ends only that shell. */
function endWithParent(end: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 50).unref()
}
