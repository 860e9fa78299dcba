/** Inputs that do not work. `verify` must end with exit code 4 and one line that names the input and what came. */

import { parseTableKey } from '../mutations/mutation.ts'

/** The inputs of `verify` by the names of their environment variables, without `WORK_AGENT_`. */
export type VerifyInputs = Readonly<Record<string, string>>

/** A request to the service or to its states endpoint, and its body. */
interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: { readonly state?: string; readonly action?: string } | undefined
}

/** Wrong inputs of `verify`, such as a key that does not work, and the error that it must report. */
export interface BadInput {
  readonly id: string
  readonly title: string
  /** The flag with which the error line must begin. */
  readonly flag: string
  /** A text that the error line must contain. */
  readonly line: string
  /** Replaces working inputs by wrong ones. */
  readonly inputs?: (good: VerifyInputs) => VerifyInputs
  /** May return an answer that replaces that of the service. */
  readonly answer?: (request: Request) => Response | undefined
}

type Row = Omit<BadInput, 'id' | 'title' | 'flag'>

/** A row with inputs in place of those that work, and a part of the error line that they lead to. */
const given = (line: string, inputs: Required<Row>['inputs']): Row => ({ line, inputs })
/** A row with an answer in place of the service's, and a part of the error line that it leads to. */
const answering = (line: string, answer: Required<Row>['answer']): Row => ({ line, answer })

/** The bad inputs about one flag, from a table with keys such as `id: What is wrong`. */
const badInputsOf = (flag: string, rows: Readonly<Record<string, Row>>): readonly BadInput[] =>
  Object.entries(rows).map(([name, input]) => {
    const { id, title } = parseTableKey(name)
    return { id, title, flag, ...input }
  })

/** A page of a website. */
const html = (status = 200) =>
  new Response('<!doctype html><title>Welcome</title>', { status, headers: { 'content-type': 'text/html' } })
/** A refusal in the format of the API. */
const refused = (status = 401) => Response.json({ error: 'unauthorized', message: 'No.' }, { status })
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
/** A base URL at which nothing listens. */
const closed = 'http://127.0.0.1:2'

/** True if a request carries a credential. */
const isFrom = (request: Request, credential: string) =>
  (request.headers.get('authorization') ?? request.headers.get('cookie'))?.includes(credential) === true
/** Limits an answer to requests to the states endpoint. */
const states = (answer: (request: Request) => Response | undefined) => (request: Request) =>
  request.path.endsWith('/states') ? answer(request) : undefined
/** Inputs in which one has another value. */
const replace = (name: string, value: string) => () => ({ [name]: value })

const baseUrl = badInputsOf('--base-url', {
  'url-closed: Nothing listens at the base URL.': given(
    `${closed} does not answer: ECONNREFUSED`,
    replace('BASE_URL', closed),
  ),
  'url-plain-port: The base URL says https, and the port speaks plain HTTP.': given(
    'does not speak TLS (ERR_SSL_',
    ({ BASE_URL = '' }) => ({ BASE_URL: BASE_URL.replace('http:', 'https:') }),
  ),
  'url-website: A website answers every path with a page.': answering('answers 200 and HTML', () => html()),
  'url-website-404: A website does not know the path.': answering('answers 404 and HTML', () => html(404)),
  'url-other-api: Another JSON API does not know the path.': answering(
    'answers 404 {"message":"Not Found"}',
    () => Response.json({ message: 'Not Found' }, { status: 404 }),
  ),
  'url-other-api-200: Another JSON API answers every path alike.': answering(
    'answers 200 {"status":"up"}',
    () => Response.json({ status: 'up' }),
  ),
  'url-other-api-403: A gateway forbids every path.': answering('answers 403 {"message":"Forbidden"}', () =>
    Response.json({ message: 'Forbidden' }, { status: 403 }),
  ),
  'url-empty: Every answer is empty.': answering(
    'answers 204 without a body',
    () => new Response(null, { status: 204 }),
  ),
  'url-redirects: The base URL redirects to another host.': answering(
    'redirects with 302 to https://www.service.test/api/cli/whoami; use https://www.service.test',
    ({ path }) => redirect(`https://www.service.test${path}`),
  ),
  'url-login: The base URL redirects to a login page.': answering('redirects with 302 to /login', () =>
    redirect('/login'),
  ),
  'url-gateway: A gateway answers, and the service behind it does not.': answering(
    'answers 502 and HTML, from a gateway',
    () => html(502),
  ),
})

const credentials = [
  ...badInputsOf('--api-key', {
    'key-refused: The key is refused.': given(
      'refuses it (401 on whoami and on tasks)',
      replace('API_KEY', 'unknown-key'),
    ),
  }),
  ...badInputsOf('--other-api-key', {
    'other-key-refused: The second key is refused.': given(
      'refused: GET /api/cli/whoami answers 401 {"error":"unauthorized"',
      replace('OTHER_API_KEY', 'unknown-key'),
    ),
    'other-key-forbidden: The second key is forbidden.': answering(
      'refused: GET /api/cli/whoami answers 403',
      (request) => (isFrom(request, 'wak_test_other') ? refused(403) : undefined),
    ),
    'other-key-same: The second key is the first one.': given(
      'it is the same key as --api-key',
      ({ API_KEY = '' }) => ({ OTHER_API_KEY: API_KEY }),
    ),
    'other-key-same-organization: The second key belongs to the first organization.': given(
      'it belongs to the first organization: whoami reports org_',
      ({ SECOND_KEY = '' }) => ({ OTHER_API_KEY: SECOND_KEY }),
    ),
  }),
  ...badInputsOf('--session-cookie', {
    'cookie-refused: The cookie is refused.': given(
      'refused: GET /api/cli/keys answers 401 {"error":"unauthorized"',
      replace('SESSION_COOKIE', 'work_agent_session=expired'),
    ),
    'cookie-login: The cookie is answered with the login page.': answering(
      'refused: GET /api/cli/keys answers 302 to /login',
      ({ path }) => (path === '/api/cli/keys' ? redirect('/login') : undefined),
    ),
    'cookie-neither: The cookie belongs to neither organization.': given(
      'the keys that it creates belong to the organization org_',
      replace('SESSION_COOKIE', 'work_agent_session=was_test_third'),
    ),
    'cookie-other: The cookie belongs to the second organization.': given(
      ', --api-key to org_',
      ({ OTHER_SESSION_COOKIE = '' }) => ({ SESSION_COOKIE: OTHER_SESSION_COOKIE }),
    ),
  }),
  ...badInputsOf('--other-session-cookie', {
    'other-cookie-refused: The second cookie is refused.': given(
      'refused: GET /api/cli/keys answers 401',
      replace('OTHER_SESSION_COOKIE', 'work_agent_session=expired'),
    ),
    'other-cookie-first: The second cookie belongs to the first organization.': given(
      ', --other-api-key to org_',
      ({ SESSION_COOKIE = '' }) => ({ OTHER_SESSION_COOKIE: SESSION_COOKIE }),
    ),
  }),
]

/** Passes on everything but the teardown of `unavailable`. */
const staysUnavailable = states(({ body }) =>
  body?.state === 'unavailable' && body.action === 'teardown'
    ? new Response(null, { status: 204 })
    : undefined,
)

const statesUrl = badInputsOf('--states-url', {
  'states-closed: Nothing listens at the states URL.': given(
    `${closed} does not answer: ECONNREFUSED`,
    replace('STATES_URL', closed),
  ),
  'states-refused: The states endpoint wants a credential.': answering(
    'it answers 401 {"error":"unauthorized"',
    states(() => refused()),
  ),
  'states-not-found: The states URL has a wrong path.': answering(
    'it offers none of the 9 states: it answers 404 and HTML',
    states(() => html(404)),
  ),
  'states-website: The states URL is a website.': answering(
    'it answers 200 and HTML to a state that does not exist, not 404',
    states(() => html()),
  ),
  'states-method: The states URL does not take POST.': answering(
    'it answers 405 without a body',
    states(() => new Response(null, { status: 405 })),
  ),
  'states-redirect: The states URL redirects.': answering(
    'it answers 302 to /login',
    states(() => redirect('/login')),
  ),
  'states-fail: The states endpoint fails at every state.': answering(
    'it answers 500 {"error":"unauthorized","message":"No."} to the state "agent_idle"',
    states(({ body }) => refused(body?.state === 'no_such_state' ? 404 : 500)),
  ),
  'states-no-effect: The states endpoint answers 204, and nothing changes.': answering(
    'the state "credits" answered 204 and changed nothing: credits is still 40',
    states(({ body }) => new Response(null, { status: body?.state === 'no_such_state' ? 404 : 204 })),
  ),
  'states-notification-no-effect: The states endpoint adds no notification, and does not offer credits.':
    answering(
      'the state "unread_notification" answered 204 and changed nothing: unread is still',
      states(({ body }) => {
        return new Response(null, {
          status: /^(?:credits|no_such_state)$/.test(body?.state ?? '') ? 404 : 204,
        })
      }),
    ),
  'states-outage-stays: The teardown of unavailable answers 204, and the service stays unavailable.':
    answering(
      'the teardown of the state "unavailable" answered 204 and changed nothing: whoami still answers 503',
      staysUnavailable,
    ),
  'states-credits-refused: The states endpoint does not accept the parameters of credits.': answering(
    'it answers 400 {"error":"unauthorized","message":"No."} to the state "credits"',
    states(({ body }) => (body?.state === 'credits' ? refused(400) : undefined)),
  ),
})

/** All wrong inputs of `verify` that are tried. */
export const badInputs: readonly BadInput[] = [...baseUrl, ...credentials, ...statesUrl]
