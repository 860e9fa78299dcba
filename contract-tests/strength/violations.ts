/** Violations of the specification that the answers of a history can be made to show, without another request. */
import { type OperationId, operationIds } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { createdIdPathsByOperation, paidOperations } from '../harness/operations.ts'
import { isSuccess } from '../model/event.ts'
import type { ModelEvent, ProviderStateEvent, RequestEvent } from '../model/index.ts'
import { classifyMutant } from './classes.ts'
import { type FieldOperatorName, fieldMutants } from './fields.ts'

/** An answer that takes the place of another one. */
export interface AlteredAnswer {
  readonly status: number
  readonly json?: unknown
}

type Answered = RequestEvent & { readonly answer: NonNullable<RequestEvent['answer']> }

/**
 * A fault that a service could have, as an alteration of recorded answers: the strength of a run is the share that it
 * notices.
 */
export interface AnswerAlteration {
  /** The operation, the field and the fault, such as `listTasks items.*.status stale`. */
  readonly id: string
  /** The operation whose answers it alters; null: several. */
  readonly operation: OperationId | null
  /** A sentence that describes the fault. */
  readonly says: string
  /** The altered answers, by the ids of their events. `events`: the history, in the order in which its events ended. */
  alter(events: readonly ModelEvent[]): ReadonlyMap<number, AlteredAnswer>
}

/** True for an event that is a request with an answer. */
export const isAnsweredRequest = (event: ModelEvent): event is Answered =>
  event.kind === 'request' && event.answer !== null

/** Replacement of an answer; undefined: it stays as it was. `arranged`: states that were set up since the answer before. */
type Change = (event: Answered, arranged: readonly ProviderStateEvent[]) => AlteredAnswer | undefined

/** A violation that changes answers one after the other; `start` makes a new change. */
const violation = (
  id: string,
  operation: OperationId | null,
  says: string,
  start: () => Change,
): AnswerAlteration => ({
  ...{ id, operation, says },
  alter(events) {
    const change = start()
    const altered = new Map<number, AlteredAnswer>()
    const arranged: ProviderStateEvent[] = []
    for (const event of events) {
      if (event.kind === 'arranged') arranged.push(event)
      const after = isAnsweredRequest(event) ? change(event, arranged.splice(0)) : undefined
      if (after) altered.set(event.id, after)
    }
    return altered
  },
})

const says = {
  dropped: 'is missing',
  emptied: 'is empty',
  constant: 'is the same everywhere',
  'constant false': 'is false everywhere',
  swapped: 'is that of the answer before',
  stale: 'stays as it was first',
  'off by one': 'is one too many, or lacks the last',
} as const satisfies Record<FieldOperatorName, string>

const ofFields = fieldMutants.flatMap(({ operation, path, operator, create }): AnswerAlteration[] => {
  const id = `${operation} ${path} ${operator}`
  if (classifyMutant({ operation, path, operator }).is !== 'forbidden') return []
  const start = (): Change => {
    const change = create()
    return ({ operation: of, answer, tenant }) =>
      of === operation && isSuccess(answer)
        ? { status: answer.status, json: change(answer.json, tenant) }
        : undefined
  }
  return [violation(id, operation, `${path} in the answers of ${operation} ${says[operator]}.`, start)]
})

const repeats = { dropped: () => '', cached: ({ resource }: Answered) => resource ?? '' } as const

const ofRequests = operationIds.flatMap((operation) =>
  (['dropped', 'cached'] as const).flatMap((operator): AnswerAlteration[] => {
    const id = `${operation} request ${operator}`
    if (classifyMutant({ operation, path: null, operator }).is !== 'forbidden') return []
    const start = (): Change => {
      const first = new Map<string, AlteredAnswer>()
      return (event) => {
        const { operation: of, answer, tenant, query } = event
        if (of !== operation || tenant === null) return undefined
        const key = JSON.stringify([tenant, repeats[operator](event), operator === 'cached' && query])
        const before = first.get(key)
        if (!before && isSuccess(answer)) first.set(key, answer)
        return before
      }
    }
    const where = operator === 'cached' ? ' at an address' : ''
    return [violation(id, operation, `${operation} answers again what it answered first${where}.`, start)]
  }),
)

const balances: readonly OperationId[] = ['whoami', 'createTask', 'listTasks']

/** Shifts every balance that is shown by all that `amount` gave its organization since a state last set the balance. */
function offBalance(amount: (event: Answered, credits: number | undefined) => number): Change {
  const off = new Map<string | null, number>()
  return (event, arranged) => {
    const { tenant, operation, answer } = event
    for (const { state, tenant: whose } of arranged) if (state === 'credits') off.delete(whose)
    if (tenant === null || !isSuccess(answer)) return undefined
    const shown = balances.includes(operation) ? valueAtPath(answer.json, 'credits') : undefined
    const credits = typeof shown === 'number' ? shown : undefined
    const by = (off.get(tenant) ?? 0) + amount(event, credits)
    off.set(tenant, by)
    if (credits === undefined || by === 0) return undefined
    return { status: answer.status, json: { ...Object(answer.json), credits: credits + by } }
  }
}

const ofCharges = paidOperations.flatMap((operation) => {
  const charge = (what: string, credits: string, sign: number) =>
    violation(`${operation} ${what}`, operation, `${operation} takes ${credits}.`, () =>
      offBalance((event) => (event.operation === operation ? sign : 0)),
    )
  return [charge('free', 'no credit', 1), charge('charged twice', 'two credits', -1)]
})

/** A violation of refunds, which show as a balance above the one before. `sign`: -1 takes them back, 1 doubles them. */
const refund = (what: string, says: string, sign: number) =>
  violation(`refund ${what}`, 'runTask', `A failed run is ${says}.`, () => {
    const last = new Map<string | null, number>()
    return offBalance(({ tenant }, credits) => {
      if (credits === undefined) return 0
      const before = last.get(tenant) ?? credits
      last.set(tenant, credits)
      return sign * Math.max(0, credits - before)
    })
  })

const ofRefunds = [refund('forgotten', 'not refunded', -1), refund('given twice', 'refunded twice', 1)]

/** Lists, what creates their entries, and where the entries are. */
const lists = [
  ['listTasks', 'createTask', 'items'],
  ['listDocuments', 'createDocument', 'items'],
  ['listKeys', 'createKey', 'keys'],
] as const

/** The time for which an altered list hides new items, in the alteration that makes it late, ms. */
export const listLatenessMs = 60_000

const ofLists = lists.flatMap(([operation, create, name]) => {
  const list = (change: (items: readonly unknown[], event: Answered) => readonly unknown[]): Change => {
    return (event) => {
      const { answer, tenant } = event
      const items = valueAtPath(answer.json, name)
      if (event.operation !== operation || tenant === null || !Array.isArray(items)) return undefined
      return { status: answer.status, json: { ...Object(answer.json), [name]: change(items, event) } }
    }
  }
  return [
    violation(`${operation} late`, operation, `${operation} shows what is new a minute late.`, () => {
      const born = new Map<string, number>()
      const late = list((items, { sent }) =>
        items.filter(
          (item) => (born.get(idAsText(valueAtPath(item, 'id')) ?? '') ?? 0) + listLatenessMs <= sent.ms,
        ),
      )
      return (event, arranged) => {
        const { answer, sent } = event
        const ids = event.operation === create ? (createdIdPathsByOperation[create] ?? []) : []
        for (const path of ids) born.set(idAsText(valueAtPath(answer.json, ...path)) ?? '', sent.ms)
        return late(event, arranged)
      }
    }),
    violation(
      `${operation} of another organization`,
      operation,
      `${operation} shows an entry of another organization too.`,
      () => {
        const shown = new Map<string | null, unknown>()
        return list((items, { tenant }) => {
          if (items.length > 0) shown.set(tenant, items[0])
          const other = [...shown].find(([owner]) => owner !== tenant)
          return other ? [...items, other[1]] : items
        })
      },
    ),
  ]
})

const json = { error: 'internal', message: 'Something went wrong.' }

const ofStatuses = operationIds.map((operation) =>
  violation(
    `${operation} success as 500`,
    operation,
    `${operation} answers 500 although it did what was asked.`,
    () => (event) =>
      event.operation === operation && isSuccess(event.answer) ? { status: 500, json } : undefined,
  ),
)

const errors = [400, 401, 402, 404, 409, 429, 503].flatMap((status) => {
  const error = (what: string, fields: object) =>
    violation(
      `${status} ${what}`,
      null,
      `Answers with status ${status} come ${what}.`,
      () =>
        ({ answer }) => {
          const isMeant = answer.status === status && typeof valueAtPath(answer.json, 'error') === 'string'
          return isMeant ? { status, json: { ...Object(answer.json), ...fields } } : undefined
        },
    )
  return [
    error('without a code', { error: undefined }),
    error('with another code', { error: 'problem' }),
    error('without a message', { message: undefined }),
  ]
})

/** Every alteration by which the strength of a run is measured. */
export const answerAlterations: readonly AnswerAlteration[] = [
  ...ofFields,
  ...ofRequests,
  ...ofCharges,
  ...ofRefunds,
  ...ofLists,
  ...ofStatuses,
  ...errors,
]
