/** Endpoints for provider states that do not work. */
import { type BadInput, badInputsOf, closed, html, redirect, refused, replace, states } from './bad-input.ts'

/** Passes on everything but the teardown of `unavailable`. */
const staysUnavailable = states(({ body }) =>
  body?.state === 'unavailable' && body.action === 'teardown'
    ? new Response(null, { status: 204 })
    : undefined,
)

export const statesUrl: readonly BadInput[] = badInputsOf({
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
