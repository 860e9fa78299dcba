/** Bad clients whose single requests are right, but not what they leave behind after a fault. They run one task. */
import { type Client, clientWith } from './bad-client.ts'
import { type Connection, type Flaw, isRun, misreads } from './flaws.ts'

interface CarelessClient {
  /** Stable, unique, kebab-case. */
  readonly id: string
  readonly flaw: Flaw
  /** Whether it ends as if nothing had gone wrong, whatever happens. */
  readonly hidesErrors?: boolean
  /** The id of the only effect, and of all that `check --every-fault` finds. */
  readonly breaks: string
}

/** The client to try; without a flaw it is the reference client. */
export const oneTaskClient = (flaw?: Flaw, hidesErrors = false): Client =>
  clientWith(flaw, hidesErrors, ['Say hello'])

/** Does something else with a request of a kind that gets no answer. */
const withoutAnswer =
  (
    isMeant: (url: string, init: RequestInit, error: Error) => boolean,
    then: (url: string, init: RequestInit, fetch: Connection['fetch']) => Promise<Response>,
  ): Flaw =>
  ({ fetch }) => ({
    fetch: (url, init) =>
      fetch(url, init).catch((error) =>
        isMeant(url, init, error) ? then(url, init, fetch) : Promise.reject(error),
      ),
  })

/** Closes the connection when there is no answer after a second, half as long as slow answers take. */
export const impatient: Flaw = ({ fetch }) => ({
  fetch: (url, init) => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), 1_000)
    return fetch(url, { ...init, signal: patience.signal }).finally(() => clearTimeout(timer))
  },
})

/** Two flaws, the first of which is nearer to the service. */
const both =
  (inner: Flaw, outer: Flaw): Flaw =>
  (connection) => {
    const changed = { ...connection, ...inner(connection) }
    return { ...changed, ...outer(changed) }
  }

/** Does something else with a request of a kind whose answer takes too long. */
const whenSlow = (...[isMeant, then]: Parameters<typeof withoutAnswer>): Flaw =>
  both(
    impatient,
    withoutAnswer((url, init, error) => error.name === 'AbortError' && isMeant(url, init, error), then),
  )

/** An error that the reference client takes for final. */
const givesUp = async () => Response.json({ error: 'given_up', message: 'No answer.' }, { status: 400 })

export const carelessClients: readonly CarelessClient[] = [
  {
    id: 'numbers-its-attempts',
    flaw: withoutAnswer(
      (url) => isRun({ url }),
      async (url, init, fetch) => {
        const answer = await fetch(`${url}?attempt=2`, init)
        // It takes a conflict for its first attempt.
        return answer.status === 409 ? Response.json({ error: 'busy', message: '' }, { status: 409 }) : answer
      },
    ),
    breaks: 'pays-once',
  },
  {
    id: 'repeats-lost-create',
    flaw: withoutAnswer(
      (_, { body }) => Boolean(body),
      (url, init, fetch) => fetch(url, init),
    ),
    breaks: 'creates-once',
  },
  {
    id: 'waits-for-rejected-run',
    flaw: misreads(
      (answer) => isRun(answer) && answer.body.error === 'invalid_request',
      () => ({ error: 'busy' }),
    ),
    breaks: 'bounds-requests',
  },
  { id: 'claims-success', flaw: () => ({}), hidesErrors: true, breaks: 'claims-done-work-only' },
  {
    id: 'forgets-lost-run',
    flaw: withoutAnswer((url) => isRun({ url }), givesUp),
    breaks: 'keeps-track-of-runs',
  },
  {
    id: 'repeats-slow-create',
    flaw: whenSlow(
      (_, { body }) => Boolean(body),
      (url, init, fetch) => fetch(url, init),
    ),
    breaks: 'creates-once',
  },
  {
    id: 'leaves-slow-run',
    flaw: whenSlow((url) => isRun({ url }), givesUp),
    breaks: 'keeps-track-of-runs',
  },
  {
    id: 'gives-up-at-lost-look',
    flaw: withoutAnswer((url, { method }) => method === 'GET' && /\/tasks\/[^/]+$/.test(url), givesUp),
    breaks: 'reports-done-work',
  },
]
