/** Bad clients whose single requests are right, but not what they leave behind after a fault. They run one task. */
import {
  type BadClient,
  badClientsOfTable,
  type ClientProgram,
  errorHidingClientRow,
  referenceClientWithFlaw,
} from './bad-client.ts'
import {
  type ClientConnection,
  type ConnectionFlaw,
  composeFlaws,
  createErrorCodePredicate,
  isRunRequest,
  misreadAnswerFlaw,
  missingAnswerReactionFlaw,
  repeatedRequestFlaw,
} from './flaws.ts'

/** A client that breaks one rule by what it leaves behind after a fault; `check --every-fault` finds nothing else. */
type CarelessClient = Pick<BadClient, 'id' | 'flaw' | 'hidesErrors' | 'breaks'>

/** Creates the reference client with a single task, with a flaw or without. */
export const referenceClientWithOneTask = (flaw?: ConnectionFlaw, hidesErrors = false): ClientProgram =>
  referenceClientWithFlaw(flaw, hidesErrors, ['Say hello'])

/** A flaw of a client: it aborts a request that has no answer after one second, half as long as slow answers take. */
export const givingUpEarlyFlaw: ConnectionFlaw = ({ fetch }) => ({
  fetch: (url, init) => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), 1_000)
    return fetch(url, { ...init, signal: patience.signal }).finally(() => clearTimeout(timer))
  },
})

/** A flaw that gives up a request of a kind after one second and does something else. */
const whenSlow = (...[isMeant, then]: Parameters<typeof missingAnswerReactionFlaw>): ConnectionFlaw =>
  composeFlaws(
    givingUpEarlyFlaw,
    missingAnswerReactionFlaw(
      (url, init, error) => error.name === 'AbortError' && isMeant(url, init, error),
      then,
    ),
  )

/** A flaw of a client: after a 500 from a gateway it requests a run again, as if the service had refused it. */
export const repeatingAfterGatewayErrorFlaw: ConnectionFlaw = repeatedRequestFlaw(
  (answer) => isRunRequest(answer) && createErrorCodePredicate('Internal Server Error')(answer),
  1_000,
)

/** An error that the reference client takes for final. */
const givesUp = async () => Response.json({ error: 'given_up', message: 'No answer.' }, { status: 400 })

const isCreate = (_: string, { body }: RequestInit) => Boolean(body)
const isRunning = (url: string) => isRunRequest({ url })
const again = ({ fetch }: ClientConnection, url: string, init: RequestInit) => fetch(url, init)

/**
 * The clients whose single requests are right, and who violate a rule only by what they leave behind after a fault,
 * such as a task created twice.
 */
export const carelessClients: readonly CarelessClient[] = badClientsOfTable({
  'claims-done-work-only': { 'claims-success': errorHidingClientRow(() => ({})) },
  'pays-once': {
    'numbers-its-attempts': missingAnswerReactionFlaw(isRunning, async ({ fetch }, url, init) => {
      const answer = await fetch(`${url}?attempt=2`, init)
      // The client takes a 409 for its own first attempt, which goes on.
      return answer.status === 409 ? Response.json({ error: 'busy', message: '' }, { status: 409 }) : answer
    }),
  },
  'creates-once': {
    'repeats-lost-create': missingAnswerReactionFlaw(isCreate, again),
    'repeats-slow-create': whenSlow(isCreate, again),
  },
  'bounds-requests': {
    'waits-for-rejected-run': misreadAnswerFlaw(
      (answer) => isRunRequest(answer) && answer.body.error === 'invalid_request',
      () => ({ error: 'busy' }),
    ),
  },
  'keeps-track-of-runs': {
    'forgets-lost-run': missingAnswerReactionFlaw(isRunning, givesUp),
    'leaves-slow-run': whenSlow(isRunning, givesUp),
  },
  'reports-done-work': {
    'gives-up-at-lost-look': missingAnswerReactionFlaw(
      (url, { method }) => method === 'GET' && /\/tasks\/[^/]+$/.test(url),
      givesUp,
    ),
  },
})
