/** Flaws of clients. Each is a layer between the reference client and the service. */
import type { Access } from '../../examples/client/client.ts'

/** How the reference client reaches the service, and where it prints. */
export type Connection = Required<Access> & { readonly say: (line: string) => void }

/** Changes parts of a connection. What it remembers belongs to one client. */
export type Flaw = (connection: Connection) => Partial<Connection>

type Fields = Readonly<Record<string, unknown>>

/** An answer of the service. */
export interface Answer {
  readonly url: string
  readonly method: string | undefined
  readonly response: Response
  readonly body: Fields
  /** Sends the same request again. */
  repeat(): Promise<Answer>
}

/** Changes requests. */
export function onRequest(
  change: (url: string, init: RequestInit, connection: Connection) => [url: string, init: RequestInit],
): Flaw {
  return (connection) => ({ fetch: (url, init) => connection.fetch(...change(url, init, connection)) })
}

/** Changes answers. */
export function onAnswer(change: (answer: Answer, connection: Connection) => Promise<Response>): Flaw {
  return (connection) => {
    const ask = async (url: string, init: RequestInit): Promise<Answer> => {
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

/** Does something else with a request of a kind that gets no answer. */
export const withoutAnswer =
  (
    isMeant: (url: string, init: RequestInit, error: Error) => boolean,
    then: (connection: Connection, url: string, init: RequestInit) => Promise<Response>,
  ): Flaw =>
  (connection) => ({
    fetch: (url, init) =>
      connection
        .fetch(url, init)
        .catch((error) => (isMeant(url, init, error) ? then(connection, url, init) : Promise.reject(error))),
  })

/** Two flaws, the first of which is nearer to the service. */
export const composeFlaws =
  (inner: Flaw, outer: Flaw): Flaw =>
  (connection) => {
    const changed = { ...connection, ...inner(connection) }
    return { ...changed, ...outer(changed) }
  }

/** Makes something else of each id in a path. */
export const changesIds = (change: (id: string) => string): Flaw =>
  onRequest((url, init) => [
    url.replace(/(?<=\/tasks\/)[^/]+/, (segment) => change(decodeURIComponent(segment))),
    init,
  ])

/** Adds headers to each request. */
export const addsHeaders = (
  headersOf: (connection: Connection, init: RequestInit) => Record<string, string>,
): Flaw =>
  onRequest((url, init, connection) => [
    url,
    { ...init, headers: { ...init.headers, ...headersOf(connection, init) } },
  ])

/** Repeats a request while its answer is of a kind: after a pause in ms, at most so often. */
export function repeatsRequests(
  isMeant: (answer: Answer) => boolean,
  pause: number | ((answer: Answer, times: number) => number),
  most = 2,
): Flaw {
  return onAnswer(async (first, { sleep }) => {
    let answer = first
    for (let times = 0; times < most && isMeant(answer); times++) {
      await sleep(typeof pause === 'number' ? pause : pause(answer, times))
      answer = await answer.repeat()
    }
    return answer.response
  })
}

/** Reads answers of a kind as something else: fields in place of theirs, and perhaps another status. */
export function misreadsAnswers(
  isMeant: (answer: Answer) => boolean,
  fields: (body: Fields) => Fields,
  status?: number,
): Flaw {
  return onAnswer(async (answer) => {
    const { response, body } = answer
    if (!isMeant(answer)) return response
    const init = { status: status ?? response.status, headers: response.headers }
    return Response.json({ ...body, ...fields(body) }, init)
  })
}

/** Looks at a task in another way once its run was answered. `count`: looks at this task so far. */
export function pollsDifferently(
  look: (
    run: Answer,
    ask: (url: string) => Promise<Response>,
    url: string,
    count: number,
  ) => Promise<Response>,
): Flaw {
  return (connection) => {
    const runs = new Map<string, { run: Answer; count: number }>()
    const { fetch = connection.fetch } = onAnswer(async (run) => {
      if (isRun(run)) runs.set(run.url.slice(0, -'/run'.length), { run, count: 0 })
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

/** True for requests that run a task. */
export const isRun = ({ url }: Pick<Answer, 'url'>) => url.endsWith('/run')
/** True if an answer is a look at one task. */
export const isTaskPoll = ({ url, method, response }: Answer) =>
  method === 'GET' && response.ok && /\/tasks\/[^/]+$/.test(url)
/** True if an answer is an error with a code. */
export const isError =
  (code: string) =>
  ({ body }: Answer) =>
    body.error === code

/** The status of a task, as text. */
export const statusOf = (task: unknown) => String(Reflect.get(Object(task), 'status'))
/** An answer that says that a task is finished, although nobody asked. */
export const asFinished = () => Response.json({ task: {}, finished: true })
