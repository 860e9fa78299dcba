/** Something happens in an organization: a request is handled, or a run ends. A trigger tells which of these a defect affects, by what it remembers and by their place among those that arrived at once. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operationIds } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key, Run } from '#mocks/core/resources.ts'
import type { Handler, HandlerCall } from '#mocks/handlers/views.ts'
import { combineMutations, type Middleware, type Mutation } from '../mutations/mutation.ts'
import { callAfterRunEnd } from '../mutations/organizations.ts'
import { rewriteAnswers } from '../mutations/reply.ts'
import { addPrecondition, replaceHandler } from '../mutations/rules.ts'

/** The kind of an occasion: the operation of a handled request, or the end of a run. */
export type OccasionKind = OperationId | 'end'

/**
 * One handled request or the end of one run: the moments at which a history defect, which depends on earlier events,
 * may show.
 */
export interface Occasion {
  readonly occasionKind: OccasionKind
  readonly org: Organization
  /** ms since the epoch. */
  readonly now: number
  /** The id of the task, document, notification or key that it concerns; empty if there is none, or it is new. */
  readonly id: string
  /** The request as the handler gets it; undefined: the end of a run. */
  readonly call: HandlerCall | undefined
  /** The run that ends, or the last one of the task. */
  readonly run: Run | undefined
  /** The answer of the handler; undefined if there is none yet, or if a run ends. */
  readonly answer: object | undefined
  /** The key with which the request was sent; undefined if there is none. */
  readonly key: { readonly id: string; readonly isFirst: boolean } | undefined
  /** The other organizations that exist so far. */
  readonly others: readonly Organization[]
  /** The position of the request among those that arrived at once. */
  readonly place: ConcurrentRank
}

/** True if the request of an occasion was accepted; a run that waits behind another one counts as accepted. */
export const isRequestAccepted = ({ answer }: Occasion) =>
  answer !== undefined && (!isHandlerFailure(answer) || answer.name === 'busy')

/** True if the answer of a handler is a failure (an error answer). */
export const isHandlerFailure = (answer: unknown): answer is Failure => answer instanceof Failure

/** The wrong behaviour of a history defect, which it shows on an occasion when its trigger fires. */
export interface Effect {
  readonly id: string
  /** In words, in the present tense: "A run costs two credits". */
  readonly says: string
  readonly on: OccasionKind
  /** Returns true for the occasions that it can affect; default: accepted requests and ends of runs. */
  readonly of?: (one: Occasion) => boolean
  /**
   * Changes the request, or answers it, before it is handled; `of` is then asked before the request is handled, too.
   */
  readonly before?: (one: Occasion, usual: (call?: HandlerCall) => object) => object
  /** Does something wrong after the request was handled; may return another answer. */
  readonly after?: (one: Occasion) => unknown
  /** A further change of the mock that it needs, such as to forget what was not stored. */
  readonly with?: () => Mutation
}

/**
 * A predicate that can remember earlier occasions and decides on each occasion whether an effect (wrong behaviour)
 * shows.
 */
export interface Condition {
  /** Returns true for the occasions of an effect that it considers; default: all. */
  of?(one: Occasion): boolean
  /** Creates its memory for one mock. */
  create(effect: Effect): Memory
  /**
   * The operations whose simultaneous requests wait for each other: those of one credential, or with `ofEverybody` of
   * all.
   */
  readonly gathers?: (effect: Effect) => readonly OperationId[]
  readonly ofEverybody?: true
}

/**
 * A condition on what happened before in a mock, such as "every third time". Each trigger is combined with each effect
 * (wrong behaviour) to a history defect; `id` and `says` become part of its id and title.
 */
export interface Trigger extends Condition {
  readonly id: string
  /** Words that complete the sentence of the effect, such as "every third time". */
  readonly says: string
  readonly kind: 'often' | 'many' | 'between' | 'at once' | 'long ago' | 'whom'
  /** Returns true if it can tell the occasions of an effect apart; default: those of every effect. */
  fits?(effect: Effect): boolean
}

interface Memory {
  /** True if an occasion of the effect is affected. */
  fires(one: Occasion): boolean
  /** Notes what has happened, whatever it was; `isOne`: the effect could have affected it. */
  note?(one: Occasion, isOne: boolean): void
  /** Notes a request that was refused with 400, 401 or 422 before any handler. */
  refused?(operation: OperationId | null, status: number): void
}

/** A counter of how often a defect has shown. */
export interface ShownCount {
  times: number
}

/** Creates the change of a mock that shows an effect (wrong behaviour) whenever a condition is met. */
export function mutationFor(when: Condition, effect: Effect, shown: ShownCount = { times: 0 }): Mutation {
  const memory = when.create(effect)
  const of = (one: Occasion) => (effect.of ?? isRequestAccepted)(one) && (when.of?.(one) ?? true)
  const { middleware, here } = gatherConcurrent(when.gathers?.(effect) ?? [], when.ofEverybody ?? false)
  const known = new Set<Organization>()
  const askers = new WeakMap<Organization, Occasion['key']>()
  const occasion = (
    occasionKind: OccasionKind,
    org: Organization,
    now: number,
    rest: Partial<Occasion>,
  ): Occasion => ({
    ...{ occasionKind, org, now, id: '', call: undefined, run: undefined, answer: undefined },
    ...{ key: askers.get(org), others: [...known].filter((one) => one !== org), place: here() },
    ...rest,
  })
  const fires = (one: Occasion) => {
    const isShown = memory.fires(one)
    if (isShown) shown.times++
    return isShown
  }
  const handled = <O extends OperationId>(operation: O) =>
    replaceHandler(operation, (call, usual) => {
      const { org, now, id } = call
      const run = org.tasks.get(id)?.run ?? undefined
      const asked = occasion(operation, org, now, { id, call: call as HandlerCall, run })
      const isOne = effect.on === operation
      const isBefore = isOne && effect.before !== undefined && of(asked)
      const plain = (given = call as HandlerCall) => usual(given as HandlerCall<O>) as object
      const answer = isBefore && fires(asked) ? effect.before?.(asked, plain) : plain()
      const done = { ...asked, answer, run: org.tasks.get(id)?.run ?? undefined }
      const isAfter = isOne && effect.after !== undefined && of(done)
      const instead = isAfter && fires(done) ? effect.after?.(done) : undefined
      const changed = typeof instead === 'object' ? instead : answer
      memory.note?.(done, isBefore || isAfter)
      return changed as ReturnType<Handler<O>>
    })
  const ended = callAfterRunEnd((org, run, at) => {
    const one = occasion('end', org, at, { id: run.task_id, run })
    const isOne = effect.on === 'end' && (effect.of?.(one) ?? true) && (when.of?.(one) ?? true)
    if (isOne && fires(one)) effect.after?.(one)
    memory.note?.(one, isOne)
  })
  const asking = addPrecondition(({ principal: { org, key } }) => {
    known.add(org)
    askers.set(org, key && { id: key.id, isFirst: org.keys.all()[0] === key })
    return undefined
  })
  const refused = rewriteAnswers(({ status }, { operation }) => {
    if (status === 400 || status === 401 || status === 422) memory.refused?.(operation, status)
  })
  const all = noted.map((operation) => handled(operation))
  const others = [ended, ...(memory.refused ? [refused] : []), asking, { middleware }]
  return combineMutations(effect.with?.() ?? {}, ...all, ...others)
}

/** Operations that triggers and effects leave out, since their answers do not depend on earlier requests. */
const apart: readonly OperationId[] = ['listLeads', 'listCampaigns', 'getInsights', 'getWallet', 'getBilling']
const noted = operationIds.filter((operation) => !apart.includes(operation))

/**
 * Creates a function that returns a value for each object (organization, task or key), which is created when it is
 * first asked for.
 */
export function createLazyWeakLookup<T, Of extends object = Organization>(create: () => T): (of: Of) => T {
  const all = new WeakMap<Of, T>()
  return (of) => {
    const known = all.get(of) ?? create()
    all.set(of, known)
    return known
  }
}

/** True if a key has not been deleted. */
export const isUndeletedKey = ({ deleted }: Key) => !deleted

/** The keys of an organization that were created through the API, newest first. */
export const keysCreatedThroughApi = (org: Organization) => org.keys.newest(Infinity).slice(0, -1)

/** The place of a request among those that arrived at the same time. */
interface ConcurrentRank {
  /** From 0, in the order of arrival. */
  readonly rank: number
  /** The number of these requests. */
  readonly size: number
  /** The operations of all of them. */
  readonly operations: ReadonlySet<OperationId>
}

/** ms between the first and the last request that count as simultaneous. */
const instant = 4

/** Gathers simultaneous requests to operations, of one credential or of everybody; `here` is the place of the one that is handled. */
function gatherConcurrent(
  operations: readonly OperationId[],
  ofEverybody: boolean,
): { middleware: Middleware; here: () => ConcurrentRank } {
  const storage = new AsyncLocalStorage<ConcurrentRank>()
  const open = new Map<unknown, { size: number; operations: Set<OperationId>; full: Promise<unknown> }>()
  return {
    here: () => storage.getStore() ?? { rank: 0, size: 1, operations: new Set() },
    async middleware({ operation, request }, next) {
      if (!operation || !operations.includes(operation)) return next(request)
      const { headers } = request
      const key = ofEverybody || (headers.get('authorization') ?? headers.get('cookie'))
      const full = () => sleep(instant).then(() => open.delete(key))
      const group = open.get(key) ?? { size: 0, operations: new Set<OperationId>(), full: full() }
      open.set(key, group)
      group.operations.add(operation)
      const rank = group.size++
      await group.full
      return storage.run({ ...group, rank }, () => next(request))
    },
  }
}
