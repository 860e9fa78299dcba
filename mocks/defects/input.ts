/** §7: bad input that is taken, or refused in the wrong way. */
import type { OperationId } from '#contract/operation.ts'
import type { Alteration } from '../alterations/alteration.ts'
import { rewrite } from '../alterations/reply.ts'
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
  'WRONG-TYPE': { says: 'an object in place of a text', is: (body) => holdsObject(body) },
} as const satisfies Record<string, { says: string; is: (body: unknown) => boolean }>

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

function holdsObject(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    typeof Object.values(body)[0] === 'object'
  )
}

/** Which kinds are asked of which operation. */
const taken: readonly (readonly [Taking, readonly (keyof typeof kinds)[]])[] = [
  ['createTask', ['MALFORMED', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE']],
  ['createDocument', ['MALFORMED', 'NOT-OBJECT', 'MISSING', 'WRONG-TYPE']],
  ['createKey', ['MALFORMED', 'MISSING', 'WRONG-TYPE']],
  ['createLandingPage', ['MALFORMED']],
  ['generateCreative', ['MALFORMED', 'MISSING', 'WRONG-TYPE']],
]

/** Puts a valid body in the place of a bad one. */
function mending(operation: Taking, isBad: (body: unknown) => boolean): Alteration {
  const field = required[operation]
  const valid = JSON.stringify(field === null ? {} : { [field]: 'Untitled' })
  return {
    async around(asked, next) {
      const { request } = asked
      if (asked.operation !== operation) return next(request)
      const text = await request.text()
      const { method, headers, url } = request
      return next(new Request(url, { method, headers, body: isBad(parsed(text)) ? valid : text }))
    },
  }
}

function parsed(text: string): unknown {
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
      alter: () => mending(operation, kinds[name].is),
    }),
  ),
)

export const input: readonly Defect[] = [
  ...accepted,
  {
    id: 'input-fails',
    title: 'Bad input is answered 500.',
    breaks: ['INPUT-*'],
    alter: () =>
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
    alter: () =>
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
