/** What was done before a contradiction, and which of it each strategy takes. Nothing is sent to find it. */
import { codeOf, field } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Env } from './env.ts'
import type { Executor } from './executor.ts'
import { isCreation } from './inventory.ts'
import { closed, type Entry, type Log, range } from './log.ts'
import { callsOf, changes, isPaid, type Step, subjectsOf, tenantsOf } from './step.ts'
import { type Suspect, suspectsOf } from './suspects.ts'
import { comparesBalances, endsOf, goingAfter, readsBalance, withoutIdleEnds } from './variants.ts'

/** What was done, by whom, and with what it contradicts. */
export interface Context {
  readonly env: Pick<Env, 'wire'>
  readonly executor: Pick<Executor, 'stepOf' | 'answers'>
  readonly log: Log
  /** The number of the next step. */
  next(): number
}

/** A list of steps that may suffice. */
export interface Strategy {
  /**
   * What is taken besides what is cited: nothing, suspects, the last steps about the same, those that made something,
   * those of its case, the last ones of each kind, however long ago, with suspects, or the last ones.
   */
  readonly take: 'cited' | 'since' | 'subject' | 'made' | 'case' | 'kinds' | 'recent'
  /** Most steps of these. */
  readonly most?: number
  /** Without the first so many suspects. */
  readonly from?: number
  /** Most steps of each kind. */
  readonly each?: number
  /** With bursts as they were sent, and pauses as long as they were; otherwise one request after the other. */
  readonly whole?: true
}

/**
 * Where a contradiction comes from, with the requests of its bursts and the pauses as they were, or apart and without
 * pauses. `longest`: ms that a pause may last.
 */
export function scopeOf(context: Context, violation: ModelViolation, isWhole: boolean, longest = 0) {
  const { env, executor, next } = context
  const { rule, requirement, because } = violation
  const log = isWhole ? context.log : context.log.apart()
  const placeOf = (event: number) => log.placeOf(executor.stepOf(event))
  const stepAt = (place: number): Step => (log.entries[place] as Entry).step
  const kindAt = (place: number) => kindOf(executor, stepAt(place))
  const places = because.flatMap((event) => placeOf(event) ?? [])
  const [first, last] = [Math.min(...places), Math.max(...places)]
  /** What is cited, and what that depends on. */
  const core: ReadonlySet<number> = closed(log, new Set(places))
  const isAboutKeys =
    requirement.startsWith('KEY-') ||
    (!comparesBalances(rule) && places.some((place) => subjectsOf(stepAt(place)).includes('keys')))

  /** The places up to the last one that is cited. */
  const upToLast = () => range(0, last)

  /** What may have made what is cited go wrong, the likeliest first. */
  const suspects = (each: number): Suspect[] =>
    suspectsOf(log, places, (step) => kindOf(executor, step), each)

  /** The places that a strategy takes besides what is cited. */
  function placesOf({ take, from = 0, most = 0, each = 1 }: Strategy): number[] {
    switch (take) {
      case 'cited':
        return []
      case 'since':
        return since(from, most, each)
      case 'subject':
        return onSubject().slice(-most)
      case 'made':
        return upToLast()
          .filter((place) => makes(stepAt(place)))
          .slice(-most)
      case 'case':
        return upToLast()
          .filter((place) => log.entries[place]?.case === log.entries[last]?.case)
          .slice(-most)
      case 'kinds':
        return union(ofEachKind(each).slice(-most), since(0, suspected, 1))
      case 'recent':
        return upToLast().slice(-most)
    }
  }

  /** Places of changes of the same subjects, in the same organizations. */
  function onSubject(): number[] {
    const causes = isAboutKeys ? [...core] : places
    const subjects = new Set(causes.flatMap((place) => subjectsOf(stepAt(place))))
    const tenants = new Set(places.flatMap((place) => tenantsOf(stepAt(place))))
    return upToLast().filter((place) => {
      const step = stepAt(place)
      const isSame = subjectsOf(step).some((one) => one !== undefined && subjects.has(one))
      return isSame && changes(step) && tenantsOf(step).some((one) => tenants.has(one))
    })
  }

  /** Places of the suspects `from` on, `each` of a kind, and of the requests that they may have made go wrong. */
  function since(from: number, most: number, each: number): number[] {
    const all = suspects(each).flatMap((one) => [one.cause, ...one.places])
    const taken = new Set(all.filter((place) => !core.has(place)))
    return [...taken].slice(from, most).sort((a, b) => a - b)
  }

  /** Places of the last `each` steps of each kind. */
  function ofEachKind(each: number): number[] {
    const all = Map.groupBy(upToLast(), kindAt)
    all.delete(undefined)
    return union(...[...all.values()].map((alike) => alike.slice(-each)))
  }

  /** The steps at what is cited and at other places, with what those depend on. */
  function and(others: readonly number[]): Step[] {
    const chosen = [...closed(log, new Set([...core, ...others]))].sort((a, b) => a - b)
    const base = baseOf()
    const steps = chosen.flatMap((place, i): Step[] => {
      const pause = place >= first ? pauseBefore(place, chosen[i - 1]) : []
      if (place !== first || !base) return [...pause, stepAt(place)]
      // What was going on before is over when the balance is set.
      const going = goingAfter(chosen.slice(0, i).map(stepAt), base.tenant)
      return [...endsOf(going, base.tenant, next), ...pause, base, stepAt(place)]
    })
    return readAlone(withoutIdleEnds(steps))
  }

  /** The pause before a step as it was, where pauses are kept and it is long enough to matter. */
  function pauseBefore(place: number, before: number | undefined): Step[] {
    const [from, to] = [log.entries[before ?? -1], log.entries[place] as Entry]
    if (!isWhole || !from || from.step.kind === 'wait' || ['wait', 'end'].includes(to.step.kind)) return []
    const ms = Math.ceil(Math.min(to.ms - from.ms, longest))
    return ms >= briefest ? [{ kind: 'wait', at: next(), ms }] : []
  }

  /** A balance that an answer to something else showed is read by itself, after it if it changes something. */
  function readAlone(steps: Step[]): Step[] {
    const end = steps.at(-1)
    if (isWhole || !readsBalance(rule) || end?.kind !== 'call') return steps
    const { at, tenant } = end
    const reading = { kind: 'call', tenant, as: 'key', operation: 'whoami' } as const
    if (changes(end)) return [...steps, { ...reading, at: next() }]
    return [...steps.slice(0, -1), { ...reading, at }]
  }

  /** The state that sets the balance to what it was before the first step that is cited: a reading, or paid work that it shows. */
  function baseOf() {
    const [event = 0, ...others] = because
    const place = placeOf(event)
    const step = log.entries[place ?? -1]?.step
    const credits = field(env.wire.exchanges.get(event)?.json, 'credits')
    if (!comparesBalances(rule) || step?.kind !== 'call' || typeof credits !== 'number') return undefined
    const earlier = new Set(others.flatMap((one) => placeOf(one) ?? []))
    const taken = [...earlier].filter((one) => one < (place ?? 0) && isPaid(stepAt(one))).length
    const params = { credits: credits + taken }
    return { kind: 'state', at: next(), tenant: step.tenant, state: 'credits', params } as const
  }

  return { log, places, last, core, isAboutKeys, placesOf, suspects, and }
}

/** Suspects that are taken with the last ones of each kind. */
const suspected = 12

const union = (...lists: readonly (readonly number[])[]) => [...new Set(lists.flat())].sort((a, b) => a - b)

/** ms of the shortest pause that is kept: a run may be over by then. */
const briefest = 100

/** Whether a step makes a thing: how many there are may matter. */
const makes = (step: Step) =>
  callsOf(step).some(({ operation }) => isCreation(operation)) ||
  (step.kind === 'state' && step.state === 'unread_notification')

/** By whom and to which end a step did something: of those that are equal, one may stand for the other. */
function kindOf({ answers }: Context['executor'], step: Step): string | undefined {
  if (step.kind === 'wait') return undefined
  if (step.kind === 'state') return `${step.tenant} ${step.state}`
  if (step.kind === 'end') return `${step.tenant} end`
  const outcomes = callsOf(step).map(({ at, tenant, operation }) => {
    const answer = answers.get(at)
    return `${tenant} ${operation} ${answer?.status} ${answer && answer.status >= 400 ? codeOf(answer) : ''}`
  })
  return outcomes.join()
}
