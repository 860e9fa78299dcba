/** What mechanical mutants do to a field of an answer, or to a request. */
import type { changeAt, Fields } from '#mocks/quirks/rewrites.ts'
import type { Interception, Mutation } from '../mutations/mutation.ts'
import type { AnswerField } from './fields.ts'

export type Change = Parameters<typeof changeAt>[2]
type Type = AnswerField['type']

/** An operator on fields: to which types it applies, and a new change for each mutant. */
interface FieldOperator {
  readonly types: readonly Type[]
  create(type: Type, path: string): Change
}

const all: readonly Type[] = ['text', 'number', 'boolean', 'list', 'other']
const empties: Readonly<Record<Type, unknown>> = { text: '', number: 0, boolean: null, list: [], other: {} }
const constants: Readonly<Record<Type, unknown>> = {
  ...{ text: 'constant', number: 7, boolean: true, list: [], other: 'constant' },
}

/** Fields that stand beside a thing and say nothing of it. */
const ofOrganization = new Set(['credits', 'usedToday', 'limit', 'remaining', 'unread'])

export const fieldOperators = {
  dropped: { types: all, create: () => () => undefined },
  emptied: { types: ['text', 'number', 'list', 'other'], create: (type) => () => empties[type] },
  constant: { types: ['text', 'number', 'boolean'], create: (type) => () => constants[type] },
  'constant false': { types: ['boolean'], create: () => () => false },
  swapped: {
    types: all,
    create() {
      let last: unknown
      return (value) => {
        const before = last ?? value
        last = value
        return before
      }
    },
  },
  /** What was said first of a thing, or of the organization, is said for ever. */
  stale: {
    types: all,
    create(_, path) {
      const first = new Map<unknown, unknown>()
      return (value, parent: Fields) => {
        const thing = ofOrganization.has(path)
          ? undefined
          : (parent.id ?? Object(parent.task).id ?? Object(parent.item).id)
        if (!first.has(thing)) first.set(thing, value)
        return first.get(thing)
      }
    },
  },
  'off by one': {
    types: ['number', 'list'],
    create: (type) => (value) => (type === 'list' ? [value].flat().slice(0, -1) : Number(value) + 1),
  },
} as const satisfies Readonly<Record<string, FieldOperator>>

/** An answer that can be given again. */
interface Kept {
  readonly body: string
  readonly status: number
  readonly headers: Headers
}

const again = ({ body, status, headers }: Kept) => new Response(body, { status, headers })

async function kept(response: Response): Promise<Kept> {
  return { body: await response.text(), status: response.status, headers: response.headers }
}

/** Whose request it is, by what it is sent with. */
export const credentialOf = ({ headers }: Request) =>
  `${headers.get('authorization')} ${headers.get('cookie')}`

/** A mutation of the requests of one operation; the credentials are checked all the same. */
type RequestOperator = (isMeant: (context: Interception) => boolean) => Required<Pick<Mutation, 'middleware'>>

/** Answers with what was answered before, once there is something; by credential and, if told, by address. */
const repeats =
  (by: (request: Request) => string): RequestOperator =>
  (isMeant) => {
    const answers = new Map<string, Kept>()
    return {
      async middleware(context, next) {
        const { request } = context
        const key = `${credentialOf(request)} ${by(request)}`
        const before = answers.get(key)
        if (!isMeant(context)) return next(request)
        if (before) return again(before)
        const answer = await kept(await next(request))
        if (answer.status < 300) answers.set(key, answer)
        return again(answer)
      },
    }
  }

export const requestOperators = {
  /** What is asked for is not done: the first success is answered again. */
  dropped: repeats(() => ''),
  /** What was answered once for an address is answered for ever. */
  cached: repeats(({ url }) => url),
  doubled: (isMeant) => ({
    async middleware(context, next) {
      const { request } = context
      if (isMeant(context)) await next(request.clone())
      return next(request)
    },
  }),
  replayed(isMeant) {
    let last: Request | undefined
    return {
      async middleware(context, next) {
        const { request } = context
        if (!isMeant(context)) return next(request)
        const [before, copy] = [last, request.clone()]
        const response = await next(request)
        if (response.ok) last = copy
        if (response.ok && before) await next(before)
        return response
      },
    }
  },
} as const satisfies Readonly<Record<string, RequestOperator>>
