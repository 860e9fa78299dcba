/** §7: bad input that is taken, or refused in the wrong way. */
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

type Taking = keyof typeof required

/** Kinds of bad bodies, and how they are told from others. */
const kinds = {
  MALFORMED: { says: 'a body that is not JSON', is: (body) => body === undefined },
  'NOT-OBJECT': { says: 'a JSON body that is no object', is: (body) => Array.isArray(body) },
  MISSING: { says: 'a body without its required field', is: (body) => isEmpty(body) },
  EMPTY: { says: 'no body at all', is: (body) => body === nothing },
  NULL: { says: 'null in place of a text', is: (body) => holds(body, (value) => value === null) },
  SCALAR: {
    says: 'a number or a boolean in place of a text',
    is: (body) => holds(body, (value) => typeof value === 'number' || typeof value === 'boolean'),
  },
  'WRONG-TYPE': { says: 'an object in place of a text', is: (body) => holdsObject(body) },
} as const satisfies Record<string, { says: string; is: (body: unknown) => boolean }>

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

function holdsObject(body: unknown): boolean {
  return holds(body, (value) => typeof value === 'object' && value !== null)
}

/** Whether the first field of an object is such a value. */
function holds(body: unknown, is: (value: unknown) => boolean): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).length > 0 &&
    is(Object.values(body)[0])
  )
}

/** Which kinds are asked of which operation. */
const taken: readonly (readonly [Taking, readonly (keyof typeof kinds)[]])[] = [
  ['createTask', ['MALFORMED', 'EMPTY', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE', 'NULL', 'SCALAR']],
  ['createDocument', ['MALFORMED', 'EMPTY', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE', 'NULL', 'SCALAR']],
  ['createKey', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'SCALAR']],
  ['createLandingPage', ['MALFORMED']],
  ['generateCreative', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'NULL']],
]

/** Puts a valid body in the place of a bad one. */
function mending(operation: Taking, isBad: (body: unknown) => boolean): Mutation {
  const field = required[operation]
  const valid = JSON.stringify(field === null ? {} : { [field]: 'Untitled' })
  return {
    async middleware(asked, next) {
      const { request } = asked
      if (asked.operation !== operation) return next(request)
      const text = await request.text()
      const { method, headers, url } = request
      return next(new Request(url, { method, headers, body: isBad(parsed(text)) ? valid : text }))
    },
  }
}

/** A body that is not there. */
const nothing = Symbol('nothing')

function parsed(text: string): unknown {
  if (text === '') return nothing
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const accepted = taken.flatMap(([operation, names]) =>
  names.map(
    (name): Defect => ({
      id: `input-${name.toLowerCase()}-${operation}`,
      title: `${operation} takes ${kinds[name].says}.`,
      breaks: [`INPUT-${name}-${operation}`],
      mutate: () => mending(operation, kinds[name].is),
    }),
  ),
)

export const input: readonly Defect[] = [
  ...accepted,
  {
    id: 'input-fails',
    title: 'Bad input is answered 500.',
    breaks: ['INPUT-*'],
    mutate: () =>
      rewrite(
        (reply) => {
          if (reply.status !== 400 && reply.status !== 422) return
          reply.status = 500
          reply.body = { error: 'internal_error', message: 'Unexpected server error.' }
        },
        ...(Object.keys(required) as Taking[]),
      ),
  },
  {
    id: 'input-not-found',
    title: 'Bad input is answered 404 not_found.',
    breaks: ['INPUT-*-createTask', 'INPUT-*-createDocument', 'INPUT-*-createKey'],
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
