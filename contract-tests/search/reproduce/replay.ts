/** Replays steps until a requirement is violated. */
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { createdIdIn } from '../../harness/operations.ts'
import { judgeHistory, type ModelEvent, type ModelState, type ModelViolation } from '../../model/index.ts'
import { deleteCreatedKeys, type SearchEnvironment } from '../execute/env.ts'
import { Executor } from '../execute/executor.ts'
import { listMemberByOperation } from '../execute/interference.ts'
import type { LatencyAssumption } from '../execute/latency-assumption.ts'
import { estimatedMsOf, type Step, typicalDurationsMs } from '../step.ts'
import { StepLog } from './step-log.ts'

/** The result of a replay: whether the violation showed, and the answers. */
export type ReplayResult = Awaited<ReturnType<typeof replaySteps>>

/** A replay that showed the violation again. */
export type ReproducingReplay = ReplayResult & { readonly violation: ModelViolation }

/** Steps that reproduced a violation, up to the violating one. */
export interface ReproducedSteps {
  readonly steps: readonly Step[]
  readonly shown: ReproducingReplay
  /** Number of replays that reproduced it without assuming that changes show at once. */
  readonly times: number
}

/** Multiple of the estimated duration after which a replay stops. */
const maxSlowdown = 4

/**
 * Executes steps until a given requirement is violated. `latency`: also counts suspicions under this assumption;
 * `deletesKeysAfter`: deletes the created keys at the end.
 */
export async function replaySteps(
  env: SearchEnvironment,
  steps: readonly Step[],
  tag: string,
  requirement: string,
  finalStatuses: ModelState['finalStatuses'],
  { latency, deletesKeysAfter }: { latency?: LatencyAssumption | undefined; deletesKeysAfter?: boolean } = {},
) {
  const executor = new Executor(env, finalStatuses, latency)
  const log = new StepLog()
  executor.tag = tag
  env.transport.listeners.add(executor)
  const [sent, kept] = [env.transport.sent, env.keys.length]
  const wanted = (one: ModelViolation) => one.requirement === requirement
  const found = () => {
    const own = (all: readonly ModelViolation[]) =>
      all.filter((one) => concernsOwnResources(one, executor, env))
    const [violations, suspicions] = [own(executor.violations), own(executor.suspicions)]
    const instead = [...violations, ...suspicions].find((one) => one.requirement !== 'LIST-PROMPT')
    return violations.find(wanted) ?? suspicions.find(wanted) ?? instead
  }
  const now = () => env.t.target.now()
  let until = now() + maxSlowdown * estimatedMsOf(steps) + typicalDurationsMs.run
  let violation: ModelViolation | undefined
  try {
    for (const step of steps) {
      const began = now()
      log.add({ step, startedAtMs: began, case: 0 })
      await executor.finish(step)
      if (step.kind === 'awaitRun') until += now() - began
      if (found() || now() > until || env.deadline.msLeft === 0) break
    }
    violation = found()
    if (env.openingRequests === undefined) {
      await executor.tearDown()
      await executor.awaitAllRuns()
      if (deletesKeysAfter) await deleteCreatedKeys(env, [], kept)
    }
  } finally {
    env.transport.listeners.delete(executor)
  }
  const { transport } = env
  return {
    ...{ executor, log },
    /** Transport that sent the replay. */
    transport,
    /** The first violation, preferably of the wanted requirement. */
    violation,
    /** True if the violation does not rest on the latency assumption. */
    isCertain: violation !== undefined && executor.violations.includes(violation),
    /** Requests that were sent. */
    requests: transport.sent - sent + (env.openingRequests ?? 0),
  }
}

/** True if the violation remains with all foreign items removed from lists. */
function concernsOwnResources(
  violation: ModelViolation,
  executor: Executor,
  { transport, t }: SearchEnvironment,
): boolean {
  const id = violation.evidence.at(-1) ?? 0
  const createdBy = new Set([...executor.answers.values()].map(createdIdIn))
  const reduced = (event: ModelEvent): ModelEvent => {
    const member = event.kind === 'request' ? listMemberByOperation[event.operation] : undefined
    if (event.kind !== 'request' || !event.answer || !member) return event
    const shown = valueAtPath(event.answer.json, member)
    if (!Array.isArray(shown)) return event
    const own = shown.filter((one) => createdBy.has(idAsText(valueAtPath(one, 'id'))))
    return { ...event, answer: { ...event.answer, json: { ...Object(event.answer.json), [member]: own } } }
  }
  const events = transport.history.filter((event) => executor.stepOf(event.id) !== undefined)
  const last = events.find((event) => event.id === id)
  if (last?.kind !== 'request' || !listMemberByOperation[last.operation]) return true
  const times = executor.violations.includes(violation)
    ? { consistency: t.settings.consistency, runTimeout: t.settings.runTimeout }
    : { consistency: 0, runTimeout: 0 }
  const { violations } = judgeHistory(events.map(reduced), times)
  return violations.some(({ rule, evidence }) => rule === violation.rule && evidence.at(-1) === id)
}
