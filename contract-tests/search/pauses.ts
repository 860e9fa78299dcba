/** The pauses of replays: those that were, and those after which lists, balances and refunds must show. */
import type { State } from '../model/index.ts'
import {
  changes,
  type Entry,
  isBalance,
  isPaid,
  type Log,
  makesFail,
  subjectsOf,
  tenantsOf,
} from './closure.ts'
import type { Gaps } from './stage.ts'
import { callsOf, type Step, type Tenant } from './step.ts'
import { goingAfter } from './trim.ts'

/** Whether a rule compares balances: by the beginning of its id. */
export const comparesBalances = (rule: string) => /^(credits|refund|affordable|solvent)-/.test(rule)
export const readsBalance = (rule: string) => /^(credits|refund)-/.test(rule)

/** The pause before a step, where it is long enough to matter. */
export function pauseBetween(
  before: Entry | undefined,
  { step, ms }: Entry,
  { shortest, longest }: Gaps,
): number {
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
export function untilSettled(
  log: Log,
  places: readonly number[],
  awaitsRefunds: boolean,
  gaps: Gaps,
): number {
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
