/** Runs a client without a fault, then once in each case, several at a time, and reports on all of it. */
import { setTimeout as pause } from 'node:timers/promises'
import { baselineRunFactsOf, type ClientReport } from '#client-tests/client-report.ts'
import { hasAcceptedRunRequest } from '#client-tests/entries.ts'
import { createFaultReport, type TriedFaultCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, faultFreeCase } from '#client-tests/every-fault/plan.ts'
import { type ClientTrial, type OrganizationRows, workDoneBetween } from '#client-tests/every-fault/trial.ts'
import { inAnswerOrder } from '#client-tests/history.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import type { FaultRuleWithCounts } from '#mocks/faults/rule.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { countWithNoun } from '#reporting/markup.ts'
import type { CommandDisplay } from '../../screen.ts'
import { type CheckOptions, faultCasesFor } from '../options.ts'
import {
  type ClientRunEnd,
  jobCountPhrase,
  outputTail,
  outputWithoutKey,
  runInParallel,
  withListeningMock,
} from '../run-client.ts'
import { repeatCommandLine, writeRunTraces } from '../run-scenario.ts'

/** The ending of a client, as far as it is known. */
type SeenEnding = Pick<ClientRunEnd, 'end' | 'note' | 'killedAfter'> & Partial<ClientRunEnd>

/**
 * Creates the mock against which a client runs under the faults of one case. It records the requests, and a run of a
 * task ends at its second poll, so that the client sends the same requests each time.
 */
export function createMockForFaultCase(
  { id, rules, recoverability, endsRuns }: FaultCase,
  options: MockOptions,
) {
  const mock = createMock({
    ...options,
    fault: rules as MockOptions['fault'] & object,
    runProgress: endsRuns ? 'immediate' : 'polls:2',
  })
  const before = rowsOf(mock)
  const unanswered = new Set<Promise<unknown>>()
  const handle: Mock['handle'] = (request) => {
    const answer = mock.handle(request)
    if (!(answer instanceof Promise)) return answer
    unanswered.add(answer)
    return answer.finally(() => unanswered.delete(answer))
  }
  return {
    /** The mock; it keeps track of requests that are not answered yet. */
    mock: { ...mock, handle },
    /**
     * Returns the trial, once the client has ended and each of its requests has taken effect, at most `patience` ms
     * later. `usual`: the run without a fault, if there was one.
     */
    async trial(
      { end, note, ...facts }: SeenEnding,
      patience: number,
      usual?: ClientTrial,
    ): Promise<ClientTrial> {
      const endedAt = mock.clock.now()
      const work = workDoneBetween(before, rowsOf(mock))
      if (unanswered.size > 0)
        await Promise.race([Promise.allSettled(unanswered), pause(patience, undefined, { ref: false })])
      const run = {
        canFinish: recoverability === 'work',
        isCompared: true,
        ...facts,
        endedAt,
        hasPaidWork: usual && hasAcceptedRunRequest(usual.requests),
        price: usual?.settled.paid.length,
        ...(usual && baselineRunFactsOf(usual.report)),
      }
      const report = mock.report({ label: id, note, end, run })
      await endRuns(mock)
      return {
        requests: inAnswerOrder(mock.journal.entries()),
        isMet: mock.faults.list().some(wasMet),
        report,
        end,
        note,
        work,
        settled: workDoneBetween(before, rowsOf(mock)),
      }
    },
  }
}

/**
 * True if a fault of the rule was applied; a rule with nothing but `ok`, which applies none, needs a matching request.
 */
const wasMet = ({ fired, matched, faults }: FaultRuleWithCounts) =>
  fired > 0 || (matched > 0 && faults.every((fault) => fault === 'ok'))

/** Lets every run end, by a state that the mock offers to test suites. */
async function endRuns(mock: Mock): Promise<void> {
  const { id } = mock.organization()
  const body = JSON.stringify({ state: 'agent_idle', params: { org_id: id }, action: 'setup' })
  const { ok } = await mock.fetch('http://mock/__admin/states', { method: 'POST', body })
  if (!ok) throw new Error('the mock does not end runs')
}

function rowsOf(mock: Mock): OrganizationRows {
  const snapshot = mock.organization().snapshot()
  if (snapshot.of !== 'organization') throw new Error('not the snapshot of an organization')
  return snapshot.organization.state
}

/**
 * Runs a client once without a fault, then once under each fault. Returns the report, or undefined if the run was
 * interrupted before there was anything to report.
 */
export async function checkEveryFault(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  screen: CommandDisplay,
): Promise<ClientReport | undefined> {
  const { faults, jobs, strict, ofMock } = options
  screen.logError('running the client without a fault')
  const usual = await runCase(faultFreeCase, options, env, signal)
  if (signal.aborted) return undefined
  const cases = usual.end?.ok ? faultCasesFor(faults, usual, ofMock.seed ?? 'work-agent') : []
  const countOne = begin(usual, cases, options, screen)
  const runs = await runInParallel(cases, jobs, signal, async (tried): Promise<TriedFaultCase> => {
    const trial = await runCase(tried, options, env, signal, usual)
    countOne()
    if (cases.length === 1) screen.show(outputTail(trial.output))
    return { tried, trial }
  })
  return createFaultReport(usual, runs, strict, ({ rules }) => repeatCommandLine(faultFlags(rules), options))
}

/** Prints how the run without a fault went, and begins to count the runs with faults. */
function begin(
  { end, note, output, requests }: Awaited<ReturnType<typeof runCase>>,
  cases: readonly FaultCase[],
  { jobs, traces }: CheckOptions,
  screen: CommandDisplay,
): () => void {
  if (end?.ok) {
    const runs = `${countWithNoun(cases.length, 'run')} with faults${jobCountPhrase(cases, jobs)}`
    screen.logError(`${countWithNoun(requests.length, 'request')} without a fault; ${runs}`)
    return screen.count(cases.length)
  }
  const printed = outputTail(output)
  screen.logError(
    `without a fault: ${note}, so there is nothing to compare with; it printed ${printed ? 'this:' : 'nothing'}`,
  )
  screen.show(printed)
  const kept =
    traces === undefined ? '--traces DIR keeps them' : `they are in ${traces}/${folderOf(faultFreeCase)}`
  screen.logError(`its requests and its whole output: ${kept}`)
  return () => undefined
}

/** Flags for the rules of a case; without a rule, one that names no fault, so that the command repeats just one run. */
const faultFlags = (rules: readonly string[]) =>
  (rules.length > 0 ? rules : ['ok']).flatMap((rule) => ['--fault', rule])

/** Runs a case; returns what was seen, and what the client printed, without the key. */
async function runCase(
  tried: FaultCase,
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  usual?: ClientTrial,
) {
  const { timeout, ofMock, traces } = options
  const { mock, trial } = createMockForFaultCase(tried, ofMock)
  return withListeningMock(mock, options, env, signal, async (run) => {
    const ending = await run()
    const seen = await trial(ending, signal.aborted ? 0 : timeout, usual)
    const output = outputWithoutKey(ending.output)
    if (traces !== undefined) {
      const repeat = repeatCommandLine(faultFlags(tried.rules), options)
      writeRunTraces(traces, folderOf(tried), [{ har: mock.journal.har(), output, repeat }])
    }
    return { ...seen, output }
  })
}

/** The name of a folder, without characters that shells or URLs read. */
const folderOf = ({ id }: FaultCase) => id.replaceAll(/[^\w.-]+/g, '-')
