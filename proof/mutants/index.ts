/** Mechanical mutants: each operator on each field of each operation and on its requests. Generated, not chosen. */

import { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { changeAt, type Fields } from '#mocks/quirks/rewrites.ts'
import type { Interception, Mutation } from '../mutations/mutation.ts'
import { rewriteSuccess } from '../mutations/reply.ts'
import { tryMutations } from '../trial.ts'
import { classOf, type MutantClass } from './classes.ts'

interface Mutant {
  /** `listTasks items.*.status stale`. */
  readonly id: string
  readonly is: MutantClass
  readonly because: string
  readonly variant: Variant
  mutate(): Mutation
}

type Change = Parameters<typeof changeAt>[2]
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

const fieldOperators = {
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
const credentialOf = ({ headers }: Request) => `${headers.get('authorization')} ${headers.get('cookie')}`

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

const requestOperators = {
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

interface AnswerField {
  readonly operation: OperationId
  readonly path: string
  readonly type: 'text' | 'number' | 'boolean' | 'list' | 'other'
  /** The first variant whose answer has it. */
  readonly variant: Variant
}

/** A schema without what makes it optional. */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}

function typeOf(schema: unknown): AnswerField['type'] {
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodObject ? 'other' : 'text'
}

function fieldsIn(schema: unknown, before: string): { path: string; type: AnswerField['type'] }[] {
  if (schema instanceof z.ZodArray) return fieldsIn(bare(schema.element), `${before}*.`)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    const [path, given] = [`${before}${name}`, bare(inner)]
    return [{ path, type: typeOf(given) }, ...fieldsIn(given, `${path}.`)]
  })
}

/** Every field of every operation once. */
const answerFields: readonly AnswerField[] = operationIds.flatMap((operation) => {
  const seen = new Set<string>()
  return variants.flatMap((variant) =>
    fieldsIn(routeOf(operation).answer[variant], '').flatMap(({ path, type }) => {
      if (seen.has(path)) return []
      seen.add(path)
      return [{ operation, path, type, variant }]
    }),
  )
})

interface MutantResult {
  readonly mutant: Mutant
  /** The requirements that it breaks; of one that may die, the first. */
  readonly red: readonly string[]
  /** What is wrong with that; undefined: nothing. */
  readonly objection: string | undefined
}

export async function tryMutant(mutant: Mutant): Promise<MutantResult> {
  const first = mutant.is !== 'legal'
  const { red, faults } = await tryMutations([mutant.mutate()], mutant.variant, { extended: 'on' }, { first })
  const objection =
    faults.length > 0
      ? `errors: ${faults[0]}`
      : mutant.is === 'forbidden' && red.length === 0
        ? `it lives: ${mutant.because}`
        : mutant.is === 'legal' && red.length > 0
          ? `it is legal and breaks ${red.join(', ')}: ${mutant.because}`
          : undefined
  return { mutant, red, objection }
}

const ofFields = answerFields.flatMap(({ operation, path, type, variant }) =>
  Object.entries(fieldOperators).flatMap(([name, { types, create }]): Mutant[] => {
    if (!(types as readonly string[]).includes(type)) return []
    const mutate = () => {
      // Ids are unique within an organization: only what was said to the same one shows that one is not new.
      const changes = new Map<string, Change>()
      return rewriteSuccess((reply, { request }) => {
        const by = /Id$/.test(path) ? credentialOf(request) : ''
        const change = changes.get(by) ?? create(type, path)
        changes.set(by, change)
        reply.body = changeAt(reply.body, path.split('.'), change)
      }, operation)
    }
    return [{ id: `${operation} ${path} ${name}`, ...classOf(operation, path, name), variant, mutate }]
  }),
)

const ofRequests = operationIds.flatMap((operation) =>
  Object.entries(requestOperators).map(
    ([name, operator]): Mutant => ({
      id: `${operation} request ${name}`,
      ...classOf(operation, 'request', name),
      variant: 'first',
      mutate: () => operator((context) => context.operation === operation),
    }),
  ),
)

export const mutants: readonly Mutant[] = [...ofFields, ...ofRequests]
