/** Errors with other contents, and refusals of requests that the mock accepts. */
import { routeOf } from '#contract/operation.ts'
import { createFailure } from '#mocks/core/failure.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { combineMutations } from '../mutations/mutation.ts'
import { changeRequests, type MutableJsonObject, rewriteAnswers, rewriteErrors } from '../mutations/reply.ts'
import { refuseRequests, replaceHandler } from '../mutations/rules.ts'
import { flattenVariationTables, type Variation, type VariationTable } from './variation.ts'

/** True if a body is a JSON object with a text of more than `longest` characters. */
const isLong = (body: string, longest: number): boolean =>
  Object.values(Object(parseJson(body))).some((value) => typeof value === 'string' && value.length > longest)

/** Refuses long texts before the mock sees them, but after it has checked the credential. */
const longTexts = (status: number, error: string, longest = 5_000): VariationTable => ({
  [`long-texts-refused-${status}${longest === 5_000 ? '' : `-${longest}`} (long texts): Texts of more than ${longest} characters are refused with ${status}.`]:
    () => ({
      async middleware({ request, operation }, next) {
        if (!operation || !routeOf(operation).body) return next(request)
        const { url, method, headers } = request
        if (!isLong(await request.clone().text(), longest)) return next(request)
        const response = await next(new Request(url, { method, headers }))
        if (response.status === 401) return response
        return Response.json({ error, message: 'This text is too long.' }, { status })
      },
    }),
})

const unknownFolders = (status: 400 | 404 | 422): VariationTable => ({
  [`folders-refused-${status} (folders): An unknown folder is refused with ${status}.`]: () =>
    combineMutations(
      replaceHandler('createDocument', (call, usual) =>
        call.body.folder_id === undefined ? usual(call) : createFailure('invalid', `folder ${status}`),
      ),
      replaceHandler('listDocuments', (call, usual) =>
        call.query.folder_id === undefined ? usual(call) : createFailure('invalid', `folder ${status}`),
      ),
      rewriteAnswers((reply) => {
        if ((reply.body as MutableJsonObject).message !== `folder ${status}`) return
        reply.status = status
        Object.assign(reply.body as MutableJsonObject, {
          error: status === 404 ? 'not_found' : 'invalid_request',
        })
      }),
    ),
})

/** Refuses media types other than JSON, once the credential was checked. */
const otherMediaTypes = (status: 406 | 415, header: 'accept' | 'content-type') =>
  rewriteAnswers((reply, { request }) => {
    const type = request.headers.get(header)
    if (reply.status === 401 || type === null || type.includes('json') || type === '*/*') return
    Object.assign(reply, { status, body: { error: 'media_type', message: 'Only JSON is understood.' } })
  })

/**
 * Legal variations (behaviour that the specification allows) of how errors are answered and which requests are refused.
 */
export const errorVariations: readonly Variation[] = flattenVariationTables({
  '#media-types: JSON under another type or none may be refused, and an Accept header that excludes JSON.': {
    'media-types-refused-406: An Accept header without JSON is answered with 406.': () =>
      otherMediaTypes(406, 'accept'),
    'media-types-refused-415: A body of another type than JSON is answered with 415.': () =>
      otherMediaTypes(415, 'content-type'),
    'media-type-missing-415: A creation without a body and a Content-Type is answered with 415.': () =>
      rewriteAnswers(
        (reply, { request }) => {
          if (reply.status !== 400 || request.headers.has('content-type')) return
          Object.assign(reply, {
            status: 415,
            body: { error: 'media_type', message: 'Only JSON is understood.' },
          })
        },
        'createTask',
        'createDocument',
      ),
  },
  '#texts-kept: a longest text may exist.': {
    ...longTexts(400, 'invalid_request'),
    ...longTexts(413, 'too_large'),
    ...longTexts(422, 'text_too_long'),
    ...longTexts(422, 'text_too_long', 200),
  },
  '#document-input: a folder may have to exist.': {
    ...unknownFolders(400),
    ...unknownFolders(404),
    ...unknownFolders(422),
  },
  '#document-kinds: a service may authorize only some.': {
    'kind-restricted: kind is one of three words.': () =>
      refuseRequests(
        'createDocument',
        'invalid',
        ({ body: { kind } }) => kind !== undefined && !['brief', 'note', 'report'].includes(kind),
      ),
  },
  '#error-body: the wording of a message is open.': {
    'ERROR-MESSAGE messages-empty: Messages of errors are empty.': () =>
      rewriteAnswers(({ status, body }) => {
        if (status >= 400) Object.assign(body as MutableJsonObject, { message: '' })
      }),
  },
  '#error-body: further fields are open; RFC 9110 §11.6.1 has the header.': {
    'unauthorized-challenge: A 401 has a WWW-Authenticate header and details.': () =>
      rewriteErrors(401, ({ headers, body }) => {
        headers.set('www-authenticate', 'Bearer realm="api"')
        Object.assign(body as MutableJsonObject, { details: [], status: 401 })
      }),
    'errors-name-address: An error names the path and the query of its request.': () =>
      rewriteAnswers(({ status, body }, { request }) => {
        const { pathname, search } = new URL(request.url)
        if (status >= 400) Object.assign(body as MutableJsonObject, { path: pathname + search })
      }),
  },
  '#error-unavailable: outages pass.': {
    'UNAVAILABLE-UNARRANGED unavailable-now-and-then: Every 40th request to a key route is answered 503.':
      () => {
        let count = 0
        return changeRequests(({ headers }, _, { operation }) => {
          if (!operation || !headers.has('authorization') || ++count % 40 !== 0) return undefined
          const error = { error: 'unavailable', message: 'Try again shortly.' }
          return Response.json(error, { status: 503, headers: { 'retry-after': '1' } })
        })
      },
  },
})
