/** What is done about a violation: it is looked at again, tried in a fresh context, and made smaller. */
import { routeOf } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import { deleteKeys } from './clean-up.ts'
import type { Log } from './closure.ts'
import type { Executor } from './executor.ts'
import type { Findings, Shown } from './findings.ts'
import type { FreshOrganizations } from './fresh.ts'
import type { Inventory } from './inventory.ts'
import type { FailureContext } from './pauses.ts'
import { Shrinker } from './shrink.ts'
import { margin, type Stage } from './stage.ts'
import { type CallStep, callsOf } from './step.ts'
import { most, type StageFor } from './trials.ts'

/** What an investigation needs of the search. */
interface Search {
  readonly stage: Stage
  readonly executor: Executor
  readonly log: Log
  readonly inventory: Inventory
  readonly found: Findings
  readonly lateness: AssumedLateness
  readonly fresh: FreshOrganizations
  /** The number of the next step. */
  next(): number
  newTag(): string
}

/** Investigates a violation, or a suspicion of one, and adds what comes of it to the findings. */
export async function investigate(
  search: Search,
  given: ModelViolation,
  isSuspicion: boolean,
): Promise<void> {
  try {
    await lookInto(search, given, isSuspicion)
  } catch (error) {
    const how = isSuspicion ? 'suspected' : 'untried'
    search.found.add(given, { how, times: 0, steps: [], requests: 0 }, given.because)
    throw error
  }
}

async function lookInto(search: Search, given: ModelViolation, isSuspicion: boolean): Promise<void> {
  const { stage, executor, log, found, lateness, next, newTag } = search
  const began = stage.t.target.now()
  const waited = isSuspicion ? await wait(search, given) : undefined
  const violation = waited?.violation ?? given
  found.attempt(violation.requirement)
  const stepOf = (event: number) => executor.stepOf(event)
  const creditsIn = (event: number) => numberIn(field(stage.wire.exchanges.get(event)?.json, 'credits'))
  const context = { log, stepOf, creditsIn, violation, next, gaps: stage.gaps }
  const first = await lookAgain(search, violation)
  // Before the replays, which may change what is read.
  const second = first && (await lookAgain(search, violation))
  await calm(search)
  // How many keys there are may matter.
  if (violation.requirement.startsWith('KEY-')) await deleteAll(search)
  const shrinker = new Shrinker(stage, executor.state.endings, newTag, context, lateness)
  let shrunk = await shrinker.tryFew(second ? most.readable : undefined)
  const { isOver } = waited ?? {}
  if (!second && shrunk.times < 2 && !isOver && !shrinker.isLate) shrunk = await shrinker.tryMany()
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  const { steps, times, requests, shown } = shrunk
  const isCut = times < 2 && stage.end.left === 0
  const spent = stage.t.target.now() - began
  if (isSuspicion && !isCut) lateness.note(times >= 2, { isOver, isLate: shrinker.isLate, spent })
  if (isSuspicion && violation === given && times < 2) {
    const cut = { how: 'suspected', times, steps, requests } as const
    if (isCut && !isOver) found.add(given, cut, given.because, undefined, stepOf)
    return
  }
  if (times < 2 && first && second) {
    const cited = [violation, first, second].flatMap(({ because }) => because)
    const evidence = [...new Set(cited)].toSorted((a, b) => a - b)
    return found.add(
      second,
      { how: 'read again', times, steps, requests: requests + 2 },
      evidence,
      shown,
      stepOf,
    )
  }
  if (!shown || times < 2) {
    const how = isCut ? 'untried' : 'once'
    const counted = { how, times, steps, requests: requests + (first ? 1 : 0) } as const
    return found.add(shown?.violation ?? violation, counted, violation.because, shown, stepOf)
  }
  const { requirement } = shown.violation
  const { endings } = executor.state
  const rooted = await search.fresh.root(steps, requirement, endings)
  const elsewhere = rooted === false ? await tryElsewhere(search, context) : undefined
  const last = rooted || elsewhere || { steps, shown }
  const all = requests + (elsewhere?.requests ?? 0)
  const isHere = rooted === false && !elsewhere
  const counted = { how: 'replayed', times, steps: last.steps, requests: all, isHere } as const
  found.add(last.shown.violation, counted, eventsOf(last.shown), last.shown, stepOf, last.shown.wire)
}

/** Tries it in organizations that nobody has used, where what sufficed here does not show it. */
async function tryElsewhere({ stage, executor, newTag, lateness, fresh }: Search, context: FailureContext) {
  const stageFor: StageFor = (steps) => fresh.stageFor(steps)
  const shrinker = new Shrinker(stage, executor.state.endings, newTag, context, lateness, stageFor)
  let tried = await shrinker.tryFew()
  if (tried.times < 2) tried = await shrinker.tryMany()
  const { steps, shown, requests } = tried
  return shown && tried.times >= 2 ? { steps, shown, requests } : undefined
}

const eventsOf = ({ executor, violation }: Shown) => executor.eventsUntil(violation.because.at(-1) ?? 0)

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

/**
 * Reads the same once more when the service may not be late any more. `violation`: what it is then; `isOver`: the
 * service shows something else now.
 */
async function wait(search: Search, suspicion: ModelViolation) {
  const { stage, executor } = search
  const call = lastCallOf(search, suspicion)
  if (!call) return undefined
  const { target, settings } = stage.t
  await target.sleep(settings.consistency + margin)
  await again(search, call)
  const [violation, changed] = [executor.violations, executor.suspicions].map((all) =>
    all.splice(0).find(({ rule }) => suspicion.rule === rule || suspicion.rule === `${rule}-promptly`),
  )
  return { violation, isOver: !violation && changed !== undefined }
}

/** Reads the same once more, if nobody else can have caused what it showed. Returns the same violation, seen again. */
async function lookAgain(search: Search, violation: ModelViolation): Promise<ModelViolation | undefined> {
  const { stage, executor } = search
  const call = lastCallOf(search, violation)
  if (violation.others || !call) return undefined
  const { target, settings } = stage.t
  await target.sleep(settings.consistency)
  await again(search, call)
  return executor.violations.splice(0).find(({ rule }) => rule === violation.rule)
}

/** The last request of a contradiction, if it only reads. */
function lastCallOf({ executor, log }: Search, { because }: ModelViolation): CallStep | undefined {
  const at = executor.stepOf(because.at(-1) ?? 0)
  const step = at === undefined ? undefined : log.entries[log.placeOf(at) ?? -1]?.step
  const call = step && callsOf(step).find((one) => one.at === at)
  return call && routeOf(call.operation).method === 'GET' ? call : undefined
}

async function again({ stage, executor, log, next }: Search, call: CallStep): Promise<void> {
  const step = { ...call, at: next() }
  log.add({ step, ms: stage.t.target.now(), case: log.entries.at(-1)?.case ?? 0 })
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  await executor.perform(step)
}

/** Deletes all keys that exist: first those that the model knows, then those of replays. */
async function deleteAll({ stage, executor, inventory, next }: Search): Promise<void> {
  for (const tenant of ['main', 'other'] as const)
    for (const { made } of inventory.keys(tenant)) {
      const deletion = { kind: 'call', tenant, as: 'session', operation: 'deleteKey' } as const
      await executor.perform({ ...deletion, at: next(), of: { made } })
    }
  await deleteKeys(stage, [])
}

/** Waits until nothing is going on, so that a replay begins in peace. */
async function calm({ executor }: Search): Promise<void> {
  await executor.tearDown()
  await executor.calm()
}
