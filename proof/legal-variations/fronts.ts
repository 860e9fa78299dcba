/** Servers and frameworks in front of an API, which refuse or read unusual requests in their own way, as they come installed. */
import { routeOf } from '#contract/operation.ts'
import { decodePercent, sentPathId } from '#traffic/malformed-input.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { changeRequests, replaceAnswersWithError } from '../mutations/reply.ts'
import { flattenVariationTables, type Variation } from './variation.ts'

const before = '#malformed-input: a server in front may answer before the API does.'

/** True for the odd ids that the mock itself issues, which a server in front lets through, or nothing would work. */
const isOwn = (id: string) => /^[a-z]+%2F%C3%A9/i.test(id)

/** Answers some requests before anything else looks at them; `refuse` gets the id and the body as they were sent. */
const inFront = (refuse: (id: string, body: Buffer, request: Request) => Response | undefined): Mutation =>
  changeRequests((request, body, { operation }) => {
    const id = (operation && sentPathId(operation, request.url)) ?? ''
    return !operation || isOwn(id) ? undefined : refuse(id, body, request)
  })

/** Changes bodies, as text in which each character is a byte. */
const onBodies = (change: (text: string) => string | Response) =>
  changeRequests((_, body, { operation }) => {
    const changed = operation && routeOf(operation).body ? change(body.toString('latin1')) : undefined
    return typeof changed === 'string' ? Buffer.from(changed, 'latin1') : changed
  })

/** Reads bodies as most frameworks do: what is not UTF-8 is replaced. */
const lenientBodies = changeRequests((_, body, { operation }) =>
  operation && routeOf(operation).body ? new TextDecoder().decode(body) : undefined,
)

const page = (status: number, title: string, headers: Record<string, string> = {}) =>
  new Response(
    `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
    { status, headers: { 'content-type': 'text/html', ...headers } },
  )

/** True if an id or a query cannot be decoded. */
const isUndecodable = (id: string) => decodePercent(id) === undefined

const nginx = inFront((id) =>
  /%00|%(?![\da-f]{2})/i.test(id) ? page(400, 'Bad Request', { connection: 'close' }) : undefined,
)

/**
 * Legal variations (behaviour that the specification allows) due to servers and frameworks in front of the API, such as
 * nginx.
 */
export const frontServerVariations: readonly Variation[] = flattenVariationTables({
  [before]: {
    'front-nginx (front): nginx is in front: it answers NUL and a lone percent sign in a path with a page of its own.':
      () => nginx,
    'front-nginx-wire (front): The same over HTTP, where it closes the connection.': {
      wire: { path: '' },
      mutate: () => nginx,
    },
    'front-apache (front): Apache is in front: an encoded slash in a path is not found, and what cannot be decoded is a bad request.':
      () =>
        inFront((id) => {
          if (/%2f|%00/i.test(id)) return page(404, 'Not Found')
          return isUndecodable(id) ? page(400, 'Bad Request') : undefined
        }),
    'front-tomcat (front): A firewall in front refuses encoded slashes, percent signs, NUL, queries that it cannot decode and keys beyond ASCII with an empty body.':
      () =>
        inFront((id, _, { url, headers }) => {
          const isOdd = /%(?:2f|25|00)/i.test(id) || /[^ -~]/.test(headers.get('authorization') ?? '')
          const isRefused = isOdd || isUndecodable(id) || isUndecodable(new URL(url).search)
          return isRefused ? new Response(null, { status: 400 }) : undefined
        }),
  },
  '#malformed-input: what replaces malformed text is a SHOULD finding.': {
    'ODD-TEXT-KEPT-createTask ODD-TEXT-KEPT-createDocument framework-fastify (front): Fastify refuses ids that it cannot decode in its own format, and replaces in bodies what is not UTF-8.':
      () =>
        combineMutations(
          lenientBodies,
          changeRequests(({ url }, _, { operation }) => {
            const { pathname } = new URL(url)
            if (!operation || !isUndecodable(pathname)) return undefined
            const message = `'${pathname}' is not a valid url component`
            const error = { error: 'Bad Request', code: 'FST_ERR_BAD_URL', message, statusCode: 400 }
            return Response.json(error, { status: 400 })
          }),
        ),
  },
  [`${before} #error-statuses: a very long body may be refused before the API sees it.`]: {
    'ODD-TEXT-KEPT-createTask ODD-TEXT-KEPT-createDocument framework-express (front): Express answers ids that it cannot decode, and bodies of more than 50 kB, with a page of its own.':
      () =>
        combineMutations(
          lenientBodies,
          inFront((id, body) => {
            if (isUndecodable(id)) return page(400, 'URIError: Failed to decode param')
            return body.length > 51_200
              ? page(413, 'PayloadTooLargeError: request entity too large')
              : undefined
          }),
        ),
  },
  '#malformed-input: what is in front may refuse it in its own way.': {
    'front-headers-too-large (front): Malformed addresses are refused with 431 and without a body, as Node refuses headers that are too long.':
      () =>
        inFront((id) =>
          /%00/.test(id) || isUndecodable(id) ? new Response(null, { status: 431 }) : undefined,
        ),
    'front-address-too-long (front): Malformed addresses are refused with 414 in plain text.': () =>
      inFront((id) => (isUndecodable(id) ? new Response('URI Too Long', { status: 414 }) : undefined)),
    'bodies-not-utf-8-stopped: A body that is not UTF-8 is refused by a server in front, with a page of its own.':
      () => inFront((_, body) => (body.includes(0xff) ? page(400, 'Bad Request') : undefined)),
  },
  '#error-not-found: an unusual id may be refused as bad input.': {
    'ids-validated (ids): Unknown ids that the service could not have made are bad input.': () =>
      replaceAnswersWithError(
        ({ status, headers }, { request, operation }) => {
          const id = (operation && sentPathId(operation, request.url)) ?? ''
          const isOwn = status === 404 && headers.get('content-type')?.includes('json')
          return isOwn && (!/^[\w-]{0,40}$/.test(id) || /^\d{16,}$/.test(id))
        },
        [422, 'invalid_id'],
      ),
  },
  '#odd-input: it may be refused.': {
    'parameters-twice-refused: A parameter that is sent twice is bad input.': () =>
      inFront((_, __, request) => {
        const names = [...new URL(request.url).searchParams.keys()]
        if (new Set(names).size === names.length) return undefined
        return Response.json(
          { error: 'invalid_request', message: 'querystring/folder_id must be string' },
          { status: 400 },
        )
      }),
  },
  '#odd-input: which one counts is open.': {
    'parameters-last: Of a parameter that is sent twice, the last counts.': () =>
      changeRequests((request) => {
        const url = new URL(request.url)
        for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value)
        return new Request(url, request)
      }),
  },
  '#odd-input: how deep a body may be is open.': {
    'depth-accepted: A deeply nested field that is unknown is ignored.': () =>
      onBodies((text) => text.replace(/,"nested":\[+\]+/, '')),
  },
  '#odd-input: what is altered is a SHOULD finding.': {
    'ODD-TEXT-KEPT-createTask ODD-TEXT-KEPT-createDocument texts-of-a-database: NUL in a text is bad input, and lone surrogates are replaced, as a database with UTF-8 texts wants it.':
      () =>
        onBodies((text) =>
          text.includes('\\u0000')
            ? Response.json({ error: 'invalid_text', message: 'A text contains NUL.' }, { status: 422 })
            : text.replace('\\ud800', '\\ufffd'),
        ),
  },
})
