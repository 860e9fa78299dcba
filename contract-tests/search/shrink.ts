/** Tries a contradiction again live, in a fresh context, and leaves out what it does not need. */

import { routeOf } from '#contract/operation.ts'
import { codeOf, field } from '#traffic/exchange.ts'
import type { ModelViolation, State } from '../model/index.ts'
import { complete, ddmin } from './ddmin.ts'
import type { Executor } from './executor.ts'
import { type Candidate, type Findings, isFew, type Shown, type Shrunk } from './findings.ts'
import type { FreshOrganizations } from './fresh.ts'
import type { Inventory } from './inventory.ts'
import type { Log } from './log.ts'
import { awaited, comparesBalances, type FailureContext, isRace } from './pauses.ts'
import { type AssumedLateness, deleteKeys, margin, promptGaps, type Stage, withShort } from './stage.ts'
import { type CallStep, callsOf, costOf, durationOf, type Step } from './step.ts'
import { citedBy, isAboutKeys, listsOf, type Strategy, slicesOf, strategies } from './strategies.ts'
import {
  type Budget,
  brief,
  enough,
  type Limits,
  most,
  racing,
  repeated,
  type StageFor,
  short,
  Trials,
  worthwhile,
} from './trials.ts'

class Shrinker {
  /** Replays show the violation each time, but not with waits: the service is late. */
  isLate = false
  /** As it was, and with the pauses of the assumption. */
  readonly #given: FailureContext
  readonly #context: FailureContext
  readonly #trials: Trials
  /** What is shown late does not show so after a wait. */
  readonly #isPrompt: boolean

  /** `lateness`: an assumption by which steps are tried until they are few; `stageFor`: where they are tried. */
  constructor(
    stage: Stage,
    endings: State['endings'],
    newTag: () => string,
    given: FailureContext,
    lateness: AssumedLateness,
    stageFor?: StageFor,
  ) {
    this.#given = given
    const { requirement } = given.violation
    this.#isPrompt = requirement === 'LIST-PROMPT'
    const isPrompt = lateness.isAssumed || this.#isPrompt
    this.#context = isPrompt ? { ...given, gaps: { ...given.gaps, ...promptGaps } } : given
    const deletes = isAboutKeys(given)
    this.#trials = new Trials(stage, endings, newTag, { requirement, lateness, deletes, stageFor })
  }

  /** Tries few steps; `requests`: most that may be sent to see it for the first time. */
  tryFew(requests: number = most.few.requests): Promise<Shrunk> {
    return this.#shrink(strategies.few, { ...most.few, requests })
  }

  /** Tries many. */
  tryMany(): Promise<Shrunk> {
    return this.#shrink(strategies.many, most.many)
  }

  async #shrink(tried: readonly Strategy[], limits: Limits): Promise<Shrunk> {
    const unsteady = await this.#climb(tried, limits)
    if (unsteady) await this.#confirmAll(unsteady)
    const { best, requests } = this.#trials
    const { steps = citedBy(this.#context), times = 0, shown } = best ?? {}
    return { steps, times, requests, shown }
  }

  /** Tries lists of steps until one shows the violation twice. Returns the largest that showed it now and then. */
  async #climb(tried: readonly Strategy[], limits: Limits): Promise<Candidate | undefined> {
    let budget = this.#trials.budget(limits)
    let unsteady: Candidate | undefined
    let before: readonly Step[] = []
    const half = () => ({ requests: budget().requests / 2, ms: budget().ms })
    for (const list of listsOf(tried, this.#context, half)) {
      const steps = this.#certain(list)
      const tries = costOf(steps) <= racing && isRace(this.#context, steps) ? 2 : 1
      let isShown: boolean | undefined = false
      for (let i = 0; i < tries && !isShown; i++) isShown = await this.#trials.try(steps, budget)
      const triedBefore = before
      if (isShown !== undefined) before = steps
      if (!isShown) continue
      const { ms } = budget()
      const candidate = this.#trials.candidates.at(-1) as Candidate
      const isSettled = await this.#settle(candidate)
      this.isLate = isSettled === false && (await this.#comesWithoutWaits())
      if (isSettled || this.isLate) return undefined
      if (isSettled === undefined && (await this.#settleAfter(triedBefore, steps, budget))) return undefined
      if (!unsteady || costOf(unsteady.tried) < costOf(candidate.tried)) unsteady = candidate
      this.#trials.release()
      budget = this.#trials.budget({ requests: budget().requests, ms, waits: 0 })
    }
    return unsteady
  }

  /** Whether steps show the violation again; what was certain is seen again anyway, and without long waits. */
  async #isSteady({ steps, times }: Candidate): Promise<boolean> {
    if (times > 0) return true
    const budget = this.#trials.budget(most.few)
    for (let i = 0; i < (isRace(this.#context, steps) ? 2 : 1); i++)
      if (await this.#trials.try(steps, budget)) return true
    return false
  }

  /** Whether a short history that was not seen again with waits shows the violation each time without. */
  async #comesWithoutWaits(): Promise<boolean> {
    const [smallest] = this.#trials.candidates.toSorted((a, b) => costOf(a.steps) - costOf(b.steps))
    if (!smallest || smallest.times > 0 || !this.#trials.lateness) return false
    return costOf(smallest.steps) <= short && this.#isSteady(smallest)
  }

  /** Leaves out what a contradiction does not need, and sees the rest twice; undefined: it comes now and then only. */
  async #settle(first: Candidate): Promise<boolean | undefined> {
    const { candidates } = this.#trials
    const begin = candidates.indexOf(first)
    if (!(await this.#isSteady(first))) return undefined
    const [{ small, times }, cost] = [most.ddmin, costOf(first.steps)]
    const requests = cost * (cost <= small.requests ? small.times : times)
    const budget = this.#trials.budget({ ...most.ddmin, requests })
    while (await this.#trySlices(budget));
    const last = () => candidates.at(-1) as Candidate
    await ddmin(
      last().steps,
      (steps) => this.#trials.try(steps, budget),
      () => isFew(last()),
    )
    const smallest = candidates
      .slice(begin + 1)
      .toReversed()
      .slice(0, most.confirm)
    for (const candidate of smallest) if (await this.#confirm(candidate)) return true
    return this.#confirm(first)
  }

  /** The same with what was tried before them: that may be what it takes. */
  async #settleAfter(before: readonly Step[], steps: readonly Step[], budget: Budget): Promise<boolean> {
    if (before.length === 0) return false
    const all = [...repeated(before, 1, this.#given.next), ...steps]
    if (!(await this.#trials.try(all, budget))) return false
    return (await this.#settle(this.#trials.candidates.at(-1) as Candidate)) === true
  }

  /** Sees half or all steps of a candidate twice: those after the contradiction too, where every n-th time shows it. */
  async #confirmAll(candidate: Candidate): Promise<void> {
    const all = candidate.tried
    const half = complete(all.slice(Math.floor(all.length / 2)))
    for (const steps of comparesBalances(this.#given.violation.rule) ? [all] : [half, all]) {
      if (!(await this.#confirm({ ...candidate, steps, times: 0 }))) continue
      const shown = this.#trials.best
      if (shown) shown.steps = shown.tried
      return
    }
  }

  /** Tries the slices of what was shown last that are smaller than that; false: none shows it. */
  async #trySlices(budget: Budget): Promise<boolean> {
    const { steps: all, shown } = this.#trials.candidates.at(-1) as Candidate
    if (costOf(all) <= most.ddmin.long) return false
    for (const steps of this.#sliced(shown))
      if (costOf(steps) < worthwhile * costOf(all) && (await this.#trials.try(steps, budget))) return true
    return false
  }

  /** The slices of a contradiction that a replay has shown, fewest first. */
  #sliced({ executor, log, violation }: Shown): readonly (readonly Step[])[] {
    const stepOf = (event: number) => executor.stepOf(event)
    return slicesOf({ ...this.#context, gaps: withShort(this.#context.gaps), log, stepOf, violation })
  }

  /** Steps with the waits that make certain what they show, where these are brief. */
  #certain(steps: readonly Step[]): readonly Step[] {
    if (this.#isPrompt) return steps.filter(({ kind }) => kind !== 'wait')
    if (!this.#trials.lateness) return steps
    const all = this.#awaited(steps)
    return durationOf(all) - durationOf(steps) <= brief ? all : steps
  }

  /** Sees a candidate twice; where that rests on an assumption, with waits that make it certain. */
  async #confirm({ steps, times }: Candidate): Promise<boolean> {
    const isCertain = times > 0 || !this.#trials.lateness
    return this.#seeTwice(isCertain ? steps : this.#awaited(steps))
  }

  #awaited(steps: readonly Step[]): readonly Step[] {
    const { violation, gaps, next } = this.#given
    return awaited(steps, violation.rule, gaps, next, this.#trials.endings)
  }

  async #seeTwice(steps: readonly Step[]): Promise<boolean> {
    const { stage } = this.#trials
    const budget = this.#trials.budget(most.many, true)
    const times = () => this.#trials.timesOf(steps)
    const tries = enough - times() + 1
    const mostMissed = isRace(this.#context, steps) ? 2 : 1
    const { violation, gaps } = this.#given
    for (let i = 0; i < tries && times() < enough; i++) {
      // Refunds of what failed before may still come.
      const until = comparesBalances(violation.rule) ? stage.pace.failed + gaps.settled : 0
      await stage.t.target.sleep(Math.min(Math.max(0, until - stage.t.target.now()), stage.end.left))
      const isShown = await this.#trials.try(steps, budget, true)
      if (!isShown && times() === 0 && i + 1 >= mostMissed) break
    }
    return times() >= enough
  }
}

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
  const kindOf = (step: Step) => kindWith(executor.answers, step)
  const context = { log, stepOf, creditsIn, kindOf, violation, next, gaps: stage.gaps }
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
  const isRooted = Boolean(rooted || elsewhere)
  const counted = { how: 'replayed', times, steps: last.steps, requests: all, isHere, isRooted } as const
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

/** By whom, with what and to which end a step did something. */
function kindWith(answers: Executor['answers'], step: Step): string | undefined {
  if (step.kind === 'wait') return undefined
  if (step.kind === 'state') return `${step.tenant} ${step.state}`
  if (step.kind === 'end') return `${step.tenant} end`
  const outcomes = callsOf(step).map(({ at, tenant, as, operation }) => {
    const answer = answers.get(at)
    const by = typeof as === 'object' ? 'created key' : as
    return `${tenant} ${by} ${operation} ${answer?.status} ${answer && codeOf(answer)}`
  })
  return outcomes.join()
}

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
