/** Refusals in other words, with other statuses, or of more than the mock refuses. */
import { routeOf } from '#contract/operation.ts'
import { fail } from '#mocks/core/failure.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewrite, rewriteErrors } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Variation } from './variation.ts'

const table = 'decisions.md, Variants: 400, 409 or 422 for bad input; on 422 and 500 any non-empty string.'

/** Answers bad input with another status and code. */
const badInput = (status: number, error: string): Variation => ({
  id: `bad-input-${status}`,
  title: `Bad input is answered ${status} ${error}.`,
  allowed: status === 409 ? 'api.md §7: invalid_request, typical status 400 or 409.' : table,
  group: 'bad input',
  mutate: () =>
    rewrite((reply) => {
      if (reply.status !== 400 && reply.status !== 422) return
      reply.status = status
      Object.assign(reply.body as Fields, { error })
    }),
})

/** Refuses bodies before the mock sees them. */
function refusing(
  status: number,
  error: string,
  refuses: (body: Fields, fields: string[]) => boolean,
): Mutation {
  return {
    async middleware({ request, operation }, next) {
      const fields = operation && Object.keys(routeOf(operation).body?.shape ?? {})
      if (!fields?.length) return next(request)
      const response = await next(
        new Request(request.url, { method: request.method, headers: request.headers }),
      )
      const text = await request.text()
      if (response.status === 401) return response
      if (refuses(parsed(text), fields))
        return Response.json({ error, message: 'Not like this.' }, { status })
      return next(new Request(request.url, { method: request.method, headers: request.headers, body: text }))
    },
  }
}

function parsed(text: string): Fields {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

const isLong = (body: Fields) =>
  Object.values(body).some((value) => typeof value === 'string' && value.length > 5_000)

const longTexts = (status: number, error: string): Variation => ({
  id: `long-texts-refused-${status}`,
  title: `Texts of more than 5,000 characters are refused with ${status}.`,
  allowed: 'decisions.md, Limits: bodies may be refused for their length; api.md gives no longest text.',
  group: 'long texts',
  mutate: () => refusing(status, error, isLong),
})

const unknownFolders = (status: 400 | 404 | 422): Variation => ({
  id: `folders-refused-${status}`,
  title: `An unknown folder is refused with ${status}.`,
  allowed: 'decisions.md, Documents: an implementation may refuse an unknown folder with 400, 404 or 422.',
  group: 'folders',
  mutate: () =>
    combine(
      handle('createDocument', (call, usual) =>
        call.body.folder_id === undefined ? usual(call) : fail('invalid', `folder ${status}`),
      ),
      handle('listDocuments', (call, usual) =>
        call.query.folder_id === undefined ? usual(call) : fail('invalid', `folder ${status}`),
      ),
      rewrite((reply) => {
        if ((reply.body as Fields).message !== `folder ${status}`) return
        reply.status = status
        Object.assign(reply.body as Fields, { error: status === 404 ? 'not_found' : 'invalid_request' })
      }),
    ),
})

export const errors: readonly Variation[] = [
  badInput(422, 'validation_failed'),
  badInput(400, 'invalid_request'),
  badInput(409, 'invalid_request'),
  longTexts(400, 'invalid_request'),
  longTexts(413, 'too_large'),
  longTexts(422, 'text_too_long'),
  unknownFolders(400),
  unknownFolders(404),
  unknownFolders(422),
  {
    id: 'unknown-fields-refused',
    title: 'Unknown body fields are refused.',
    allowed: 'decisions.md, Limits: the mock ignores unknown body fields; refusing them is legitimate.',
    mutate: () =>
      refusing(400, 'invalid_request', (body, fields) =>
        Object.keys(body).some((name) => !fields.includes(name)),
      ),
  },
  {
    id: 'kind-restricted',
    title: 'kind is one of three words.',
    allowed: 'decisions.md, Documents: restricting kind is legitimate.',
    mutate: () =>
      handle('createDocument', (call, usual) =>
        call.body.kind === undefined || ['brief', 'note', 'report'].includes(call.body.kind)
          ? usual(call)
          : fail('invalid'),
      ),
  },
  {
    id: 'messages-empty',
    title: 'Messages of errors are empty.',
    allowed: 'api.md §7: clients branch on error, not on message.',
    warns: ['ERROR-MESSAGE'],
    mutate: () =>
      rewrite(({ status, body }) => {
        if (status >= 400) Object.assign(body as Fields, { message: '' })
      }),
  },
  {
    id: 'unauthorized-challenge',
    title: 'A 401 has a WWW-Authenticate header and details.',
    allowed: 'RFC 9110 §11.6.1; decisions.md, Success and shapes: unknown extra fields.',
    mutate: () =>
      rewriteErrors(401, ({ headers, body }) => {
        headers.set('www-authenticate', 'Bearer realm="api"')
        Object.assign(body as Fields, { details: [], status: 401 })
      }),
  },
  {
    id: 'unavailable-now-and-then',
    title: 'Every 40th request to a key route is answered 503.',
    allowed: 'api.md §7: unavailable, 503: temporary; retry shortly.',
    mutate() {
      let asked = 0
      return {
        async middleware({ request, operation }, next) {
          if (!operation || !request.headers.has('authorization') || ++asked % 40 !== 0) return next(request)
          const headers = { 'retry-after': '1' }
          return Response.json(
            { error: 'unavailable', message: 'Try again shortly.' },
            { status: 503, headers },
          )
        },
      }
    },
  },
]
