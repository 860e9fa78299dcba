/** §7: bad input that is accepted, or refused in the wrong way. */
import type { OperationId } from '#contract/operation.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewrite } from '../mutations/reply.ts'
import type { Defect } from './defect.ts'

/** The required field of each operation that takes a body; null: it has none. */
const required = {
  createTask: 'text',
  createDocument: 'title',
  createKey: 'name',
  createLandingPage: null,
  generateCreative: 'prompt',
} as const satisfies Partial<Record<OperationId, string | null>>

type Accepting = keyof typeof required

/** Kinds of bad bodies, and how to recognize them. */
const kinds = {
  MALFORMED: { description: 'a body that is not JSON', is: (body) => body === undefined },
  'NOT-OBJECT': { description: 'a JSON body that is not an object', is: (body) => Array.isArray(body) },
  MISSING: { description: 'a body without its required field', is: (body) => isEmpty(body) },
  EMPTY: { description: 'an empty body', is: (body) => body === nothing },
  NULL: { description: 'null in place of a text', is: (body) => holds(body, (value) => value === null) },
  SCALAR: {
    description: 'a number or a boolean in place of a text',
    is: (body) => holds(body, (value) => typeof value === 'number' || typeof value === 'boolean'),
  },
  'WRONG-TYPE': { description: 'an object in place of a text', is: (body) => holdsObject(body) },
} as const satisfies Record<string, { description: string; is: (body: unknown) => boolean }>

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

function holdsObject(body: unknown): boolean {
  return holds(body, (value) => typeof value === 'object' && value !== null)
}

/** Whether the first field of an object has such a value. */
function holds(body: unknown, is: (value: unknown) => boolean): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).length > 0 &&
    is(Object.values(body)[0])
  )
}

/** The kinds that the suite sends to each operation. */
const tested: readonly (readonly [Accepting, readonly (keyof typeof kinds)[]])[] = [
  ['createTask', ['MALFORMED', 'EMPTY', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE', 'NULL', 'SCALAR']],
  ['createDocument', ['MALFORMED', 'EMPTY', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE', 'NULL', 'SCALAR']],
  ['createKey', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'SCALAR']],
  ['createLandingPage', ['MALFORMED']],
  ['generateCreative', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'NULL']],
]

/** Replaces a bad body by a valid one. */
function correcting(operation: Accepting, isBad: (body: unknown) => boolean): Mutation {
  const field = required[operation]
  const valid = JSON.stringify(field === null ? {} : { [field]: 'Untitled' })
  return {
    async middleware(context, next) {
      const { request } = context
      if (context.operation !== operation) return next(request)
      const { method, headers, url } = request
      const isReplaced = isBad(parsed(await request.clone().text()))
      return next(isReplaced ? new Request(url, { method, headers, body: valid }) : request)
    },
  }
}

/** Stands for a missing body. */
const nothing = Symbol('nothing')

function parsed(text: string): unknown {
  if (text === '') return nothing
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const accepted = tested.flatMap(([operation, names]) =>
  names.map(
    (name): Defect => ({
      id: `input-${name.toLowerCase()}-${operation}`,
      title: `${operation} accepts ${kinds[name].description}.`,
      breaks: [`INPUT-${name}-${operation}`],
      mutate: () => correcting(operation, kinds[name].is),
    }),
  ),
)

export const input: readonly Defect[] = [
  ...accepted,
  {
    id: 'input-fails',
    title: 'Bad input is answered 500.',
    breaks: ['INPUT-*', 'DEEP-BODY-*', 'ODD-TEXT-createTask', 'ODD-TEXT-createDocument'],
    mutate: () =>
      rewrite(
        (reply) => {
          if (reply.status !== 400 && reply.status !== 422) return
          reply.status = 500
          reply.body = { error: 'internal_error', message: 'Unexpected server error.' }
        },
        ...(Object.keys(required) as Accepting[]),
      ),
  },
  {
    id: 'input-not-found',
    title: 'Bad input is answered 404 not_found.',
    breaks: ['INPUT-*-createTask', 'INPUT-*-createDocument', 'INPUT-*-createKey', 'DEEP-BODY-*'],
    mutate: () =>
      rewrite(
        (reply) => {
          if (reply.status !== 400 && reply.status !== 422) return
          reply.status = 404
          reply.body = { error: 'not_found', message: 'Not found.' }
        },
        'createTask',
        'createDocument',
        'createKey',
      ),
  },
]
