/** Looks into a contradiction: reads again, tries its steps again in fresh contexts, and adds what comes of it to the findings. */
import { routeOf } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import { deleteKeys, type FreshOrganizations, margin } from './env.ts'
import type { Findings } from './findings.ts'
import type { Inventory } from './inventory.ts'
import { enough, type Limits, type Search as Replays, shrinkerFor } from './shrink.ts'
import { type CallStep, callsOf } from './step.ts'
import { citedBy, strategies } from './strategies.ts'

/** What an investigation needs of the search. */
export interface Search extends Replays {
  readonly inventory: Inventory
  readonly found: Findings
  readonly fresh: FreshOrganizations
}

/** Most requests to try again what was over a moment later, and anything else; and ms. */
const limits = {
  over: { requests: 200, ms: 5_000 },
  far: { requests: 1_600, ms: 12_000 },
} as const

/** How many times as long runs may take once one was wrongly taken for lost. */
const slower = 4

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
  const { env, executor, found, lateness } = search
  const isSlow = isSuspicion && given.rule === 'run-ends'
  if (isSlow && (await hasEnded(search, given))) {
    env.runTimes.unusual *= slower
    return
  }
  const began = env.t.target.now()
  const waited = isSuspicion ? await wait(search, given) : undefined
  const violation = waited?.violation ?? given
  found.attempt(violation.requirement)
  const first = await lookAgain(search, violation)
  // Before the replays, which may change what is read.
  const second = first && (await lookAgain(search, violation))
  await executor.tearDown()
  await executor.calm()
  // How many keys there are may matter.
  if (violation.requirement.startsWith('KEY-')) await deleteAll(search)
  const isOver = waited?.isOver ?? false
  const { steps, times, requests, shown, isLate, ...where } = await tryAgain(
    search,
    violation,
    isOver ? limits.over : limits.far,
  )
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  const stepOf = (event: number) => executor.stepOf(event)
  const isCut = times < enough && env.end.left === 0
  const spent = env.t.target.now() - began
  if (isSlow && times < enough) env.runTimes.unusual *= slower
  if (isSuspicion && !isSlow && !isCut) lateness.note(times >= enough, { isOver, isLate, spent })
  const counted = { times, steps, requests: requests + (first ? 1 : 0) + (second ? 1 : 0) }
  if (shown && times >= enough) {
    const events = shown.executor.eventsUntil(shown.violation.because.at(-1) ?? 0)
    found.add(shown.violation, { ...counted, ...where, how: 'replayed' }, events, shown, stepOf)
  } else if (isSuspicion && violation === given) {
    if (isCut && !isOver) found.add(given, { ...counted, how: 'suspected' }, given.because, undefined, stepOf)
  } else if (first && second) {
    const cited = [violation, first, second].flatMap(({ because }) => because)
    const evidence = [...new Set(cited)].toSorted((a, b) => a - b)
    found.add(second, { ...counted, how: 'read again' }, evidence, shown, stepOf)
  } else {
    const how = isCut ? 'untried' : 'once'
    found.add(shown?.violation ?? violation, { ...counted, how }, violation.because, shown, stepOf)
  }
}

/**
 * Tries a contradiction again: in organizations that nobody has used, where they are to be had, and where the search is.
 * What shows here alone is tried with more steps there.
 */
export async function tryAgain(
  search: Replays & Pick<Search, 'fresh'>,
  violation: ModelViolation,
  far: Limits = limits.far,
) {
  const { fresh } = search
  const here = shrinkerFor(search, violation)
  const isOffered = await fresh.isOffered()
  const elsewhere = isOffered ? shrinkerFor(search, violation, fresh.envFor) : undefined
  const both = [elsewhere, here].filter((one) => one !== undefined)
  const isLate = () => both.some((one) => one.isLate)
  const [first = here] = both
  await first.shrink(strategies.any, far)
  if (elsewhere && !elsewhere.best && !isLate()) await here.shrink(strategies.used, limits.over)
  const best = elsewhere?.best ?? here.best
  const { steps = citedBy(search, violation), times = 0, shown } = best ?? here.seen ?? elsewhere?.seen ?? {}
  const isRooted = elsewhere?.best !== undefined
  const isHere = best !== undefined && isOffered && !isRooted
  const requests = both.reduce((sum, one) => sum + one.requests, 0)
  fresh.requests += requests - here.requests
  return { steps, times, shown, requests, isLate: isLate(), isHere, isRooted }
}

/**
 * Reads the same once more when the service may not be late any more. `violation`: what it is then; `isOver`: the
 * service shows something else now.
 */
async function wait(search: Search, suspicion: ModelViolation) {
  const { env, executor } = search
  const call = lastCallOf(search, suspicion)
  if (!call) return undefined
  const { target, settings } = env.t
  await target.sleep(settings.consistency + margin)
  await again(search, { ...call, at: search.next() })
  const [violation, changed] = [executor.violations, executor.suspicions].map((all) =>
    all.splice(0).find(({ rule }) => suspicion.rule === rule || suspicion.rule === `${rule}-promptly`),
  )
  return { violation, isOver: !violation && changed !== undefined }
}

/** Whether a run that was taken for lost is over a moment later: then any run may take longer. */
async function hasEnded(search: Search, { because }: ModelViolation): Promise<boolean> {
  const { env, executor, log, next } = search
  const step = log.stepAt(executor.stepOf(because.at(-1) ?? 0))
  if (step?.kind !== 'end') return false
  await env.t.target.sleep(Math.max(env.runTimes.unusual, env.t.settings.consistency + margin))
  const { tenant, of } = step
  const look = { kind: 'call', at: next(), tenant, as: 'key', operation: 'getTask', of } as const
  await again(search, look)
  return field(executor.answers.get(look.at)?.json, 'finished') === true
}

/** Reads the same once more, if nobody else can have caused what it showed. Returns the same violation, seen again. */
async function lookAgain(search: Search, violation: ModelViolation): Promise<ModelViolation | undefined> {
  const { env, executor } = search
  const call = lastCallOf(search, violation)
  if (violation.others || !call) return undefined
  const { target, settings } = env.t
  await target.sleep(settings.consistency)
  await again(search, { ...call, at: search.next() })
  return executor.violations.splice(0).find(({ rule }) => rule === violation.rule)
}

/** The last request of a contradiction, if it only reads. */
function lastCallOf({ executor, log }: Search, { because }: ModelViolation): CallStep | undefined {
  const at = executor.stepOf(because.at(-1) ?? 0)
  const step = log.stepAt(at)
  const call = step && callsOf(step).find((one) => one.at === at)
  return call && routeOf(call.operation).method === 'GET' ? call : undefined
}

async function again({ env, executor, log }: Search, step: CallStep): Promise<void> {
  log.add({ step, ms: env.t.target.now(), case: log.entries.at(-1)?.case ?? 0 })
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  await executor.perform(step)
}

/** Deletes all keys that exist: first those that the model knows, then those of replays. */
async function deleteAll({ env, executor, inventory, next }: Search): Promise<void> {
  for (const tenant of ['main', 'other'] as const)
    for (const { made } of inventory.keys(tenant)) {
      const deletion = { kind: 'call', tenant, as: 'session', operation: 'deleteKey' } as const
      await executor.perform({ ...deletion, at: next(), of: { made } })
    }
  await deleteKeys(env, [])
}
