/** Flaws of clients. Each is a layer between the reference client and the service. */
import type { Access } from '../../examples/client/client.ts'

/**
 * What the reference client needs for its work: the base URL, a key, a `fetch`, a `sleep`, and a function that prints.
 */
export type ClientConnection = Required<Access> & { readonly say: (line: string) => void }

/**
 * A flaw of a client: a function that replaces parts of a good client's connection, which makes it a bad client. It is
 * called once for each client, so that its variables belong to that client.
 */
export type ConnectionFlaw = (connection: ClientConnection) => Partial<ClientConnection>

type Fields = Readonly<Record<string, unknown>>

/** An answer of the service, with the request and the parsed body. */
export interface AnswerToClient {
  readonly url: string
  readonly method: string | undefined
  readonly response: Response
  readonly body: Fields
  /** Sends the same request again. */
  repeat(): Promise<AnswerToClient>
}

/** Creates a flaw that changes the client's requests. */
export function requestFlaw(
  change: (url: string, init: RequestInit, connection: ClientConnection) => [url: string, init: RequestInit],
): ConnectionFlaw {
  return (connection) => ({ fetch: (url, init) => connection.fetch(...change(url, init, connection)) })
}

/** Creates a flaw that changes the answers that the client receives. */
export function answerFlaw(
  change: (answer: AnswerToClient, connection: ClientConnection) => Promise<Response>,
): ConnectionFlaw {
  return (connection) => {
    const ask = async (url: string, init: RequestInit): Promise<AnswerToClient> => {
      const response = await connection.fetch(url, init)
      const body = await response
        .clone()
        .json()
        .catch(() => ({}))
      return { url, method: init.method, response, body, repeat: () => ask(url, init) }
    }
    return { fetch: async (url, init) => change(await ask(url, init), connection) }
  }
}

/**
 * Creates a flaw in how a client reacts to a missing answer: if a request that `isMeant` picks gets none, `then` is
 * called, for example to repeat it.
 */
export const missingAnswerReactionFlaw =
  (
    isMeant: (url: string, init: RequestInit, error: Error) => boolean,
    then: (connection: ClientConnection, url: string, init: RequestInit) => Promise<Response>,
  ): ConnectionFlaw =>
  (connection) => ({
    fetch: (url, init) =>
      connection
        .fetch(url, init)
        .catch((error) => (isMeant(url, init, error) ? then(connection, url, init) : Promise.reject(error))),
  })

/** Combines two flaws into one; the first is nearer to the service. */
export const composeFlaws =
  (inner: ConnectionFlaw, outer: ConnectionFlaw): ConnectionFlaw =>
  (connection) => {
    const changed = { ...connection, ...inner(connection) }
    return { ...changed, ...outer(changed) }
  }

/** Creates a flaw by which the client changes each id in a path. */
export const changedIdsFlaw = (change: (id: string) => string): ConnectionFlaw =>
  requestFlaw((url, init) => [
    url.replace(/(?<=\/tasks\/)[^/]+/, (segment) => change(decodeURIComponent(segment))),
    init,
  ])

/** Creates a flaw by which the client adds headers to each request. */
export const addedHeadersFlaw = (
  headersOf: (connection: ClientConnection, init: RequestInit) => Record<string, string>,
): ConnectionFlaw =>
  requestFlaw((url, init, connection) => [
    url,
    { ...init, headers: { ...init.headers, ...headersOf(connection, init) } },
  ])

/**
 * Creates a flaw by which the client repeats a request as long as `isMeant` is true of its answer. `pause`: the time
 * before each repeat, ms; `most`: the maximum number of repeats.
 */
export function repeatedRequestFlaw(
  isMeant: (answer: AnswerToClient) => boolean,
  pause: number | ((answer: AnswerToClient, times: number) => number),
  most = 2,
): ConnectionFlaw {
  return answerFlaw(async (first, { sleep }) => {
    let answer = first
    for (let times = 0; times < most && isMeant(answer); times++) {
      await sleep(typeof pause === 'number' ? pause : pause(answer, times))
      answer = await answer.repeat()
    }
    return answer.response
  })
}

/**
 * Creates a flaw by which the client misreads the answers that `isMeant` picks: it sees other fields, and perhaps
 * another status.
 */
export function misreadAnswerFlaw(
  isMeant: (answer: AnswerToClient) => boolean,
  fields: (body: Fields) => Fields,
  status?: number,
): ConnectionFlaw {
  return answerFlaw(async (answer) => {
    const { response, body } = answer
    if (!isMeant(answer)) return response
    const init = { status: status ?? response.status, headers: response.headers }
    return Response.json({ ...body, ...fields(body) }, init)
  })
}

/**
 * Creates a flaw in how a client polls the task of a run that was answered: `look` makes the poll. `count`: polls of
 * this task so far, this one included.
 */
export function pollingFlaw(
  look: (
    run: AnswerToClient,
    ask: (url: string) => Promise<Response>,
    url: string,
    count: number,
  ) => Promise<Response>,
): ConnectionFlaw {
  return (connection) => {
    const runs = new Map<string, { run: AnswerToClient; count: number }>()
    const { fetch = connection.fetch } = answerFlaw(async (run) => {
      if (isRunRequest(run)) runs.set(run.url.slice(0, -'/run'.length), { run, count: 0 })
      return run.response
    })(connection)
    return {
      fetch(url, init) {
        const followed = init.method === 'GET' ? runs.get(url) : undefined
        if (!followed) return fetch(url, init)
        followed.count++
        return look(followed.run, (other) => fetch(other, init), url, followed.count)
      },
    }
  }
}

/** True if a request runs a task. */
export const isRunRequest = ({ url }: Pick<AnswerToClient, 'url'>) => url.endsWith('/run')
/** True if an answer is a success of reading one task. */
export const isTaskPoll = ({ url, method, response }: AnswerToClient) =>
  method === 'GET' && response.ok && /\/tasks\/[^/]+$/.test(url)
/** Creates a predicate that is true of error answers with this code. */
export const createErrorCodePredicate =
  (code: string) =>
  ({ body }: AnswerToClient) =>
    body.error === code

/** The status of the task in an answer, as text. */
export const taskStatusText = (task: unknown) => String(Reflect.get(Object(task), 'status'))
/** Creates an answer that says that a task is finished, as if it came from the service. */
export const finishedTaskAnswer = () => Response.json({ task: {}, finished: true })
