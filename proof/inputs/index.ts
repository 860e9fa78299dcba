/** Inputs that do not work. `verify` must end with exit code 4 and one line that names the input and what came. */

/** What `verify` is given besides a base URL, by the name of its variable without `WORK_AGENT_`. */
export type Inputs = Readonly<Record<string, string>>

/** A request to the service or to its states endpoint, and its body. */
interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: { readonly state?: string; readonly action?: string } | undefined
}

export interface BadInput {
  readonly id: string
  readonly title: string
  /** The flag that the line must begin with. */
  readonly flag: string
  /** A part of the line. */
  readonly line: string
  /** Inputs that differ from those that work. */
  readonly inputs?: (good: Inputs) => Inputs
  /** An answer in place of that of the service. */
  readonly answer?: (request: Request) => Response | undefined
}

/** Inputs by `id: What comes of it`. */
const badInputsOf = (rows: Readonly<Record<string, Omit<BadInput, 'id' | 'title'>>>): readonly BadInput[] =>
  Object.entries(rows).map(([named, input]) => {
    const [, id = '', title = ''] = /^(\S+): (.+)$/.exec(named) ?? []
    return { id, title, ...input }
  })

/** A page of a website. */
const html = (status = 200) =>
  new Response('<!doctype html><title>Welcome</title>', { status, headers: { 'content-type': 'text/html' } })
/** A refusal in the format of the API. */
const refused = (status = 401) => Response.json({ error: 'unauthorized', message: 'No.' }, { status })
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
/** Nothing listens there. */
const closed = 'http://127.0.0.1:2'

/** Whether a request carries a credential. */
const isFrom = (request: Request, credential: string) =>
  (request.headers.get('authorization') ?? request.headers.get('cookie'))?.includes(credential) === true
/** Answers requests to the states endpoint only. */
const states = (answer: (request: Request) => Response | undefined) => (request: Request) =>
  request.path.endsWith('/states') ? answer(request) : undefined
/** Inputs with another value of one. */
const replace = (name: string, value: string) => () => ({ [name]: value })

const baseUrl: readonly BadInput[] = badInputsOf({
  'url-closed: Nothing listens at the base URL.': {
    flag: '--base-url',
    line: `${closed} does not answer: ECONNREFUSED`,
    inputs: replace('BASE_URL', closed),
  },
  'url-plain-port: The base URL says https, and the port speaks plain HTTP.': {
    flag: '--base-url',
    line: 'does not speak TLS (ERR_SSL_',
    inputs: ({ BASE_URL = '' }) => ({ BASE_URL: BASE_URL.replace('http:', 'https:') }),
  },
  'url-website: A website answers every path with a page.': {
    flag: '--base-url',
    line: 'answers 200 and HTML',
    answer: () => html(),
  },
  'url-website-404: A website does not know the path.': {
    flag: '--base-url',
    line: 'answers 404 and HTML',
    answer: () => html(404),
  },
  'url-other-api: Another JSON API does not know the path.': {
    flag: '--base-url',
    line: 'answers 404 {"message":"Not Found"}',
    answer: () => Response.json({ message: 'Not Found' }, { status: 404 }),
  },
  'url-other-api-200: Another JSON API answers every path alike.': {
    flag: '--base-url',
    line: 'answers 200 {"status":"up"}',
    answer: () => Response.json({ status: 'up' }),
  },
  'url-other-api-403: A gateway forbids every path.': {
    flag: '--base-url',
    line: 'answers 403 {"message":"Forbidden"}',
    answer: () => Response.json({ message: 'Forbidden' }, { status: 403 }),
  },
  'url-empty: Every answer is empty.': {
    flag: '--base-url',
    line: 'answers 204 without a body',
    answer: () => new Response(null, { status: 204 }),
  },
  'url-redirects: The base URL redirects to another host.': {
    flag: '--base-url',
    line: 'redirects with 302 to https://www.service.test/api/cli/whoami; use https://www.service.test',
    answer: ({ path }) => redirect(`https://www.service.test${path}`),
  },
  'url-login: The base URL redirects to a login page.': {
    flag: '--base-url',
    line: 'redirects with 302 to /login',
    answer: () => redirect('/login'),
  },
  'url-gateway: A gateway answers, and the service behind it does not.': {
    flag: '--base-url',
    line: 'answers 502 and HTML, from a gateway',
    answer: () => html(502),
  },
})

const credentials: readonly BadInput[] = badInputsOf({
  'key-refused: The key is refused.': {
    flag: '--api-key',
    line: 'refuses it (401 on whoami and on tasks)',
    inputs: replace('API_KEY', 'unknown-key'),
  },
  'other-key-refused: The second key is refused.': {
    flag: '--other-api-key',
    line: 'refused: GET /api/cli/whoami answers 401 {"error":"unauthorized"',
    inputs: replace('OTHER_API_KEY', 'unknown-key'),
  },
  'other-key-forbidden: The second key is forbidden.': {
    flag: '--other-api-key',
    line: 'refused: GET /api/cli/whoami answers 403',
    answer: (request) => (isFrom(request, 'wak_test_other') ? refused(403) : undefined),
  },
  'other-key-same: The second key is the first one.': {
    flag: '--other-api-key',
    line: 'it is the same key as --api-key',
    inputs: ({ API_KEY = '' }) => ({ OTHER_API_KEY: API_KEY }),
  },
  'other-key-same-organization: The second key belongs to the first organization.': {
    flag: '--other-api-key',
    line: 'it belongs to the first organization: whoami reports org_',
    inputs: ({ SECOND_KEY = '' }) => ({ OTHER_API_KEY: SECOND_KEY }),
  },
  'cookie-refused: The cookie is refused.': {
    flag: '--session-cookie',
    line: 'refused: GET /api/cli/keys answers 401 {"error":"unauthorized"',
    inputs: replace('SESSION_COOKIE', 'work_agent_session=expired'),
  },
  'cookie-login: The cookie is answered with the login page.': {
    flag: '--session-cookie',
    line: 'refused: GET /api/cli/keys answers 302 to /login',
    answer: ({ path }) => (path === '/api/cli/keys' ? redirect('/login') : undefined),
  },
  'cookie-neither: The cookie belongs to neither organization.': {
    flag: '--session-cookie',
    line: 'it belongs to the organization org_',
    inputs: replace('SESSION_COOKIE', 'work_agent_session=was_test_third'),
  },
  'cookie-other: The cookie belongs to the second organization.': {
    flag: '--session-cookie',
    line: ', --api-key to org_',
    inputs: ({ OTHER_SESSION_COOKIE = '' }) => ({ SESSION_COOKIE: OTHER_SESSION_COOKIE }),
  },
  'other-cookie-refused: The second cookie is refused.': {
    flag: '--other-session-cookie',
    line: 'refused: GET /api/cli/keys answers 401',
    inputs: replace('OTHER_SESSION_COOKIE', 'work_agent_session=expired'),
  },
  'other-cookie-first: The second cookie belongs to the first organization.': {
    flag: '--other-session-cookie',
    line: ', --other-api-key to org_',
    inputs: ({ SESSION_COOKIE = '' }) => ({ OTHER_SESSION_COOKIE: SESSION_COOKIE }),
  },
})

/** Passes on everything but the teardown of `unavailable`. */
const staysUnavailable = states(({ body }) =>
  body?.state === 'unavailable' && body.action === 'teardown'
    ? new Response(null, { status: 204 })
    : undefined,
)

const statesUrl: readonly BadInput[] = badInputsOf({
  'states-closed: Nothing listens at the states URL.': {
    flag: '--states-url',
    line: `${closed} does not answer: ECONNREFUSED`,
    inputs: replace('STATES_URL', closed),
  },
  'states-refused: The states endpoint wants a credential.': {
    flag: '--states-url',
    line: 'it answers 401 {"error":"unauthorized"',
    answer: states(() => refused()),
  },
  'states-not-found: The states URL has a wrong path.': {
    flag: '--states-url',
    line: 'it offers none of the 8 states: it answers 404 and HTML',
    answer: states(() => html(404)),
  },
  'states-website: The states URL is a website.': {
    flag: '--states-url',
    line: 'it answers 200 and HTML to a state that does not exist, not 404',
    answer: states(() => html()),
  },
  'states-method: The states URL does not take POST.': {
    flag: '--states-url',
    line: 'it answers 405 without a body',
    answer: states(() => new Response(null, { status: 405 })),
  },
  'states-redirect: The states URL redirects.': {
    flag: '--states-url',
    line: 'it answers 302 to /login',
    answer: states(() => redirect('/login')),
  },
  'states-fail: The states endpoint fails at every state.': {
    flag: '--states-url',
    line: 'it answers 500 {"error":"unauthorized","message":"No."} to the state "agent_idle"',
    answer: states(({ body }) => refused(body?.state === 'no_such_state' ? 404 : 500)),
  },
  'states-no-effect: The states endpoint answers 204, and nothing changes.': {
    flag: '--states-url',
    line: 'the state "credits" answered 204 and changed nothing: credits is still 40',
    answer: states(({ body }) => new Response(null, { status: body?.state === 'no_such_state' ? 404 : 204 })),
  },
  'states-notification-no-effect: The states endpoint adds no notification, and does not offer credits.': {
    flag: '--states-url',
    line: 'the state "unread_notification" answered 204 and changed nothing: unread is still',
    answer: states(({ body }) => {
      return new Response(null, { status: /^(?:credits|no_such_state)$/.test(body?.state ?? '') ? 404 : 204 })
    }),
  },
  'states-outage-stays: The teardown of unavailable answers 204, and the service stays unavailable.': {
    flag: '--states-url',
    line: 'the teardown of the state "unavailable" answered 204 and changed nothing: whoami still answers 503',
    answer: staysUnavailable,
  },
  'states-credits-refused: The states endpoint does not accept the parameters of credits.': {
    flag: '--states-url',
    line: 'it answers 400 {"error":"unauthorized","message":"No."} to the state "credits"',
    answer: states(({ body }) => (body?.state === 'credits' ? refused(400) : undefined)),
  },
})

export const badInputs: readonly BadInput[] = [...baseUrl, ...credentials, ...statesUrl]
