/** Lists of steps made from others: with waits, credits, other clients or numbers, and several times. */
import type { State } from '../model/index.ts'
import type { Env } from './env.ts'
import {
  callsOf,
  changes,
  isBalance,
  isOf,
  isPaid,
  makerOf,
  makesFail,
  payersOf,
  type Ref,
  refersTo,
  type Step,
  type Tenant,
  tenantsOf,
} from './step.ts'

type Next = () => number

/** Whether a rule compares balances: by the beginning of its id. */
export const comparesBalances = (rule: string) => /^(credits|refund|affordable|solvent)-/.test(rule)
export const readsBalance = (rule: string) => /^(credits|refund)-/.test(rule)

/** Whether an answer shows what may be late: all but what one thing is read by. */
const mayBeLate = (step: Step) =>
  callsOf(step).some(({ operation }) => !['getTask', 'getDocument', 'createDocument'].includes(operation))

const isUnread = (step: Step) => step.kind === 'state' && step.state === 'unread_notification'
const runs = (step: Step) => callsOf(step).some(({ operation }) => operation === 'runTask')

/**
 * Steps that show a violation however late the service may be: with waits before all that reads what may be late, or,
 * where balances are compared, before the balance is set for the last time and before the last step. `finalStatuses`: where
 * it is not known which final status failed runs have, each may have failed.
 */
export function awaited(
  steps: readonly Step[],
  rule: string,
  { short, settled }: Pick<Env['gaps'], 'short' | 'settled'>,
  next: Next,
  { failed }: State['finalStatuses'],
): Step[] {
  const wait = (ms: number): Step => ({ kind: 'wait', at: next(), ms })
  if (!comparesBalances(rule))
    return steps.flatMap((step) => (mayBeLate(step) && !changes(step) ? [wait(short), step] : [step]))
  const [tenant] = tenantsOf(steps.at(-1) as Step)
  const isOwn = isOf(tenant)
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
  const ends = endsOf(going, tenant as Tenant, next)
  // An earlier balance says more, too, where it cannot be late.
  const isReading = (step: Step) =>
    isOwn(step) && callsOf(step).some(({ operation }) => operation === 'whoami')
  const read = since.flatMap((step, i) =>
    isReading(step) && since.slice(0, i).some(isPaid) ? [wait(short), step] : [step],
  )
  return [...begin, ...read, ...ends, ...(since.some(isPaid) ? untilOver(since) : [wait(short)]), ...last]
}

/**
 * The same with the balance set once, before all of the organization's paid work, where that would have to be over for
 * a while before the balance is set: what fails soon after another failure needs both in a row. Undefined: it need not.
 */
export function setAtFirst(steps: readonly Step[], rule: string): Step[] | undefined {
  const [tenant] = tenantsOf(steps.at(-1) as Step)
  const isOwn = isOf(tenant)
  const set = steps.findLastIndex((step) => isBalance(step) && isOwn(step))
  const state = steps[set]
  const paid = payersOf(steps.slice(0, Math.max(0, set))).filter((payer) => payer === tenant).length
  if (!readsBalance(rule) || state?.kind !== 'state' || paid === 0) return undefined
  const credits = Number(state.params.credits) + paid
  const others = steps.filter((step) => !(isBalance(step) && isOwn(step)))
  return [{ ...state, params: { credits } }, ...others]
}

/** With the ends of all other runs of the organization before the last step, which awaits one that does not end. */
export function othersEnded(steps: readonly Step[], next: Next): readonly Step[] {
  const last = steps.at(-1)
  if (last?.kind !== 'end') return steps
  const { tenant } = last
  const [own] = refersTo(last)
  const others = goingAfter(steps.slice(0, -1), tenant).filter((of) => makerOf(of) !== own)
  return [...steps.slice(0, -1), ...endsOf(others, tenant, next), last]
}

/** Without the waits for ends of runs that are not among the steps. */
export function withoutIdleEnds(steps: readonly Step[]): Step[] {
  const going = new Set<number | undefined>()
  return steps.filter((step) => {
    for (const { operation, of } of callsOf(step)) if (operation === 'runTask') going.add(makerOf(of))
    return step.kind !== 'end' || going.delete(refersTo(step)[0])
  })
}

/** Waits for the ends of the runs of tasks. */
export const endsOf = (tasks: readonly Ref[], tenant: Tenant, next: Next): Step[] =>
  tasks.map((of) => ({ kind: 'end', at: next(), tenant, of }))

/** Steps that show how a run ends, and how one that fails does. */
export function endingsOf(tenant: Tenant, next: Next): Step[] {
  const common = { kind: 'call', tenant, as: 'key' } as const
  const task = { ...common, at: next(), operation: 'createTask', body: { text: 'Task {tag}' } } as const
  const of = { made: task.at }
  const run = (): Step[] => [
    { ...common, at: next(), operation: 'runTask', of },
    ...endsOf([of], tenant, next),
  ]
  const fails: Step = { kind: 'state', at: next(), tenant, state: 'next_run_fails', params: {} }
  return withCredits([task, ...run(), fails, ...run()], next)
}

/** The tasks of an organization whose runs the steps do not await. */
export function goingAfter(steps: readonly Step[], tenant: Tenant): Ref[] {
  const going = new Map<number, Ref>()
  for (const step of steps) {
    for (const { operation, of, tenant: own } of callsOf(step)) {
      const made = makerOf(of)
      if (operation === 'runTask' && own === tenant && made !== undefined) going.set(made, { made })
    }
    if (step.kind === 'end') for (const made of refersTo(step)) going.delete(made)
  }
  return [...going.values()]
}

/**
 * The same steps, all with the key of the operator in place of created ones, which are not created but for `kept`; where
 * these were refused, with none that is valid.
 */
export function mergedClients(
  steps: readonly Step[],
  kept: ReadonlySet<number | undefined>,
  isRefused: (at: number) => boolean,
): Step[] {
  const merged = <T extends Step>(call: T): T =>
    call.kind === 'call' && typeof call.as === 'object'
      ? { ...call, as: isRefused(call.at) ? 'invalid' : 'key' }
      : call
  const used = new Set([...kept, ...steps.flatMap(callsOf).map(({ of }) => makerOf(of))])
  return steps
    .filter((step) => !(step.kind === 'call' && step.operation === 'createKey') || used.has(step.at))
    .map((step) => (step.kind === 'burst' ? { ...step, calls: step.calls.map(merged) } : merged(step)))
}

/** Credits to begin with, where the steps spend some and arrange none before. */
export function withCredits(steps: Step[], next: Next): Step[] {
  const paid = steps.filter(isPaid)
  const tenants = new Set(paid.flatMap(tenantsOf))
  const missing = [...tenants].filter((tenant) => {
    const first = steps.filter(isOf(tenant)).find((step) => isPaid(step) || isBalance(step))
    return first && !isBalance(first)
  })
  const credits = 2 * paid.flatMap(callsOf).length + 3
  return [
    ...missing.map(
      (tenant): Step => ({ kind: 'state', at: next(), tenant, state: 'credits', params: { credits } }),
    ),
    ...steps,
  ]
}

/** Fewest unread notifications to begin with, if there were so many: what marks too many needs two. */
const fewestUnread = 2

/**
 * Unread notifications to begin with, where the steps read a list that showed some: as many as they refer to, and one
 * more. `shown`: how many unread ones the list of a step showed.
 */
export function withUnread(steps: readonly Step[], shown: (at: number) => number, next: Next): Step[] {
  const lists = steps.flatMap(callsOf).filter(({ operation }) => operation === 'listNotifications')
  const first = new Map(lists.toReversed().map((list) => [list.tenant, list]))
  const mostOf = (tenant: Tenant) => {
    const own = new Set(lists.flatMap((list) => (list.tenant === tenant ? list.at : [])))
    const refs = steps
      .flatMap(callsOf)
      .flatMap(({ of }) => (typeof of === 'object' && 'listed' in of ? of : []))
    return Math.max(
      fewestUnread,
      ...refs.map(({ listed, nth, unread }) => (own.has(listed) && unread ? nth + 2 : 0)),
    )
  }
  return steps.flatMap((step, place) => {
    const begun = [...first.values()].filter(({ at }) => callsOf(step).some((call) => call.at === at))
    const missing = begun.flatMap(({ tenant, at }): Step[] => {
      const came = steps.slice(0, place).filter(isOf(tenant)).filter(isUnread)
      const length = Math.max(0, Math.min(shown(at), mostOf(tenant)) - came.length)
      return Array.from({ length }, () => ({
        ...{ kind: 'state', at: next(), tenant, state: 'unread_notification', params: {} },
      }))
    })
    return [...missing, step]
  })
}

/** The same steps, `times` times. */
export function repeated(steps: readonly Step[], times: number, next: Next): Step[] {
  return Array.from({ length: times }, () => withNumbers(steps, next)).flat()
}

/** The same steps with numbers of their own: lists that do the same are equal. */
export function numbered(steps: readonly Step[]): Step[] {
  let last = 0
  return withNumbers(steps, () => ++last)
}

function withNumbers(steps: readonly Step[], next: Next): Step[] {
  const numbers = new Map<number, number>()
  for (const step of steps) for (const { at } of [step, ...callsOf(step)]) numbers.set(at, next())
  const renumber = (at: number) => numbers.get(at) ?? at
  return steps.map((step) => renumbered(step, renumber))
}

/** A step with other numbers, also where it refers to others. */
function renumbered<T>(value: T, renumber: (at: number) => number): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => renumbered(one, renumber)) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      typeof one === 'number' && (name === 'at' || name === 'made' || name === 'listed')
        ? [name, renumber(one)]
        : [name, name === 'body' || name === 'params' ? one : renumbered(one, renumber)],
    ),
  ) as T
}
