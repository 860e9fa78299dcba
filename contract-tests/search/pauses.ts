/** The pauses of replays: those that were, and those after which lists, balances and refunds must show. */
import type { ModelViolation, State } from '../model/index.ts'
import type { Entry, Log } from './log.ts'
import type { Gaps } from './stage.ts'
import {
  type CallStep,
  callsOf,
  changes,
  isBalance,
  isPaid,
  makesFail,
  type Ref,
  type StateStep,
  type Step,
  subjectsOf,
  type Tenant,
  tenantsOf,
} from './step.ts'
import { goingAfter } from './trials.ts'

/** Whether a rule compares balances: by the beginning of its id. */
export const comparesBalances = (rule: string) => /^(credits|refund|affordable|solvent)-/.test(rule)
const readsBalance = (rule: string) => /^(credits|refund)-/.test(rule)

/** The pause before a step, where it is long enough to matter. */
function pauseBetween(before: Entry | undefined, { step, ms }: Entry, { shortest, longest }: Gaps): number {
  const gap = before ? Math.min(ms - before.ms, longest) : 0
  const waits = before?.step.kind === 'wait' || step.kind === 'wait' || step.kind === 'end'
  return gap >= shortest && !waits ? gap : 0
}

/**
 * Steps that show a violation however late the service may be: with waits before all that reads what may be late, or,
 * where balances are compared, before the balance is set for the last time and before the last step. `endings`: where
 * it is not known which final status failed runs have, each may have failed.
 */
export function awaited(
  steps: readonly Step[],
  rule: string,
  { short, settled }: Gaps,
  next: () => number,
  { failed }: State['endings'],
): Step[] {
  const wait = (ms: number): Step => ({ kind: 'wait', at: next(), ms })
  if (!comparesBalances(rule))
    return steps.flatMap((step) => (mayBeLate(step) && !changes(step) ? [wait(short), step] : [step]))
  const [tenant = ''] = tenantsOf(steps.at(-1) as Step)
  const isOwn = (step: Step) => tenantsOf(step).includes(tenant)
  const set = Math.max(
    0,
    steps.findLastIndex((step) => isBalance(step) && isOwn(step)),
  )
  const parts = [steps.slice(0, set), steps.slice(set, -1), steps.slice(-1)] as const
  const isKnown = [...failed].some((status) => status.startsWith(`${tenant} `))
  const untilOver = (part: readonly Step[]) => {
    if (!part.some(isPaid)) return []
    return [wait(part.some((step) => makesFail(step) || (!isKnown && runs(step))) ? settled : short)]
  }
  const [before, since, last] = parts
  const begin = [...before, ...untilOver(before.filter(isOwn))]
  // Refunds only add to what can be spent: it is enough that the balance was known long before.
  if (rule.startsWith('solvent-'))
    return [...begin, ...since.slice(0, 1), wait(short), ...since.slice(1), ...last]
  // A balance says more where it is known how the runs ended.
  const going = readsBalance(rule) ? goingAfter(since, tenant as Tenant) : []
  const ends = going.map((of): Step => ({ kind: 'end', at: next(), tenant: tenant as Tenant, of }))
  return [...begin, ...since, ...ends, ...(since.some(isPaid) ? untilOver(since) : [wait(short)]), ...last]
}

/** What is missing, before the last step, of the time that passed since the last change, or that refunds may take. */
function untilSettled(log: Log, places: readonly number[], awaitsRefunds: boolean, gaps: Gaps): number {
  const steps = places.map((place) => log.entries[place] as Entry)
  const fails = steps.some(({ step }) => makesFail(step))
  const isCause = awaitsRefunds && fails ? spends : changes
  const cause = steps.findLastIndex(({ step }, i) => i < steps.length - 1 && isCause(step))
  const [from, to] = [steps[cause], steps.at(-1)]
  if (!from || !to) return 0
  const waits = steps.slice(cause).flatMap(({ step }) => (step.kind === 'wait' ? step.ms : []))
  const least = mayBeLate(to.step) ? gaps.short : 0
  const passed = isCause === spends ? gaps.settled : Math.max(least, Math.min(to.ms - from.ms, gaps.longest))
  const missing = passed - waits.reduce((sum, ms) => sum + ms, 0)
  return missing >= gaps.shortest ? missing : 0
}

/** Whether an answer shows what may be late: all but what one thing is read by. */
const mayBeLate = (step: Step) =>
  callsOf(step).some(({ operation }) => !['getTask', 'getDocument', 'createDocument'].includes(operation))

const runs = (step: Step) => callsOf(step).some(({ operation }) => operation === 'runTask')

const spends = (step: Step) => subjectsOf(step).includes('credits')

/** The steps of a contradiction: the log, the steps of its events, and the numbers of new steps. */
export interface FailureContext {
  readonly log: Log
  readonly stepOf: (event: number) => number | undefined
  readonly violation: ModelViolation
  /** The balance that the answer to a request showed. */
  readonly creditsIn: (event: number) => number | undefined
  /** What a step did, and to which end: equal for steps of which one may stand for the other; undefined: nothing. */
  readonly kindOf: (step: Step) => string | undefined
  readonly next: () => number
  /** Pauses between steps that are kept, ms: shorter ones are not, longer ones are cut. */
  readonly gaps: Gaps
}

/** Whether a contradiction cites several requests of one burst, whose order may be another the next time. */
export function isRace({ violation, stepOf }: FailureContext, steps: readonly Step[]): boolean {
  const cited = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
  return steps.some(
    (step) => step.kind === 'burst' && callsOf(step).filter(({ at }) => cited.has(at)).length > 1,
  )
}

/** A balance that an answer to something else showed is read by itself. */
export function readAlone(steps: Step[], { rule }: ModelViolation): Step[] {
  const last = steps.at(-1)
  if (!readsBalance(rule) || last?.kind !== 'call') return steps
  const read: CallStep = { kind: 'call', at: last.at, tenant: last.tenant, as: 'key', operation: 'whoami' }
  return [...steps.slice(0, -1), read]
}

/** The steps at places, with the pauses between those from the first that is cited. */
export function stepsOf(context: FailureContext, places: readonly number[], first: number): Step[] {
  const { log, next, gaps, violation } = context
  const base = baseOf(context)
  const endOf = (of: Ref): Step => ({ kind: 'end', at: next(), tenant: base?.tenant ?? 'main', of })
  const awaitsRefunds = comparesBalances(violation.rule)
  return places.flatMap((place, i): Step[] => {
    const entry = log.entries[place]
    const before = log.entries[places[i - 1] ?? -1]
    if (!entry) return []
    const isLast = i === places.length - 1
    if (place === first && base) {
      const done = places.slice(0, i).flatMap((one) => log.entries[one]?.step ?? [])
      const rest = pauseBetween(before, entry, gaps)
      const wait: Step[] = rest > 0 ? [{ kind: 'wait', at: next(), ms: Math.ceil(rest) }] : []
      return [...goingAfter(done, base.tenant).map((of) => endOf(of)), ...wait, base, entry.step]
    }
    const ms = isLast ? untilSettled(log, places, awaitsRefunds, gaps) : pauseBetween(before, entry, gaps)
    return place > first && ms > 0
      ? [{ kind: 'wait', at: next(), ms: Math.ceil(ms) }, entry.step]
      : [entry.step]
  })
}

/** The state that sets the balance to what it was before the first step that is cited: a reading, or paid work that it shows. */
function baseOf({ log, next, stepOf, creditsIn, violation }: FailureContext): StateStep | undefined {
  const [event = 0, ...others] = violation.because
  const placeOf = (one: number) => log.placeOf(stepOf(one) ?? -1) ?? -1
  const place = placeOf(event)
  const step = log.entries[place]?.step
  const credits = creditsIn(event)
  if (!comparesBalances(violation.rule) || step?.kind !== 'call' || credits === undefined) return undefined
  const earlier = new Set(others.map(placeOf).filter((one) => one >= 0 && one < place))
  const taken = [...earlier].filter((one) => isPaid(log.entries[one]?.step as Step)).length
  const { tenant } = step
  return { kind: 'state', at: next(), tenant, state: 'credits', params: { credits: credits + taken } }
}
