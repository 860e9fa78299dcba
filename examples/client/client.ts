/** A client of the work-agent API: it waits when it is told to, and never pays twice. Needs nothing but fetch. */
import type { Operation, OperationId } from 'work-agent-contract/contract'

/** The routes that it asks for; the compiler checks them against the contract. */
const routes = {
  whoami: ['GET', '/api/cli/whoami'],
  listTasks: ['GET', '/api/cli/tasks'],
  createTask: ['POST', '/api/cli/tasks'],
  getTask: ['GET', '/api/cli/tasks/:id'],
  runTask: ['POST', '/api/cli/tasks/:id/run'],
  listLeads: ['GET', '/api/cli/leads'],
} as const satisfies { readonly [O in OperationId]?: readonly [Operation<O>['method'], Operation<O>['path']] }

type Asked = keyof typeof routes
type Given = { readonly params?: { readonly id: string | number }; readonly body?: object }
type Sent<O extends Asked> = Given & Partial<Pick<Operation<O>, 'params' | 'body'>>
export type Task = Operation<'getTask'>['answer']['task']
export type Client = ReturnType<typeof createClient>

/** The address of the service, and the key of the caller. */
export interface Access {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Thrown if the service refuses a request and waiting will not help; branch on `code`. */
export class Refusal extends Error {
  readonly code: string

  constructor({ error, message }: Operation<Asked>['error']) {
    super(`${error}: ${message}`)
    this.code = error
  }
}

/** Thrown if no answer came, or one that cannot be read: nobody knows whether the request had its effect. */
export class NoAnswer extends Error {}

const answerTimeout = 10_000
const mostTries = 5
const pollEvery = 1_000
const mostLooks = 600
const fewLooks = 20

/** Creates a client. It throws a `Refusal` or `NoAnswer` for whatever it cannot fix itself. */
export function createClient({ baseUrl, apiKey, fetch = globalThis.fetch, sleep = pause }: Access) {
  async function exchange(operation: Asked, { params, body }: Given): Promise<Response> {
    const [method, path] = routes[operation]
    const id = encodeURIComponent(params?.id ?? '')
    return fetch(baseUrl + path.replace(':id', id), {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerTimeout),
    })
  }

  /** Asks until the answer is not one that a later try may change (§7.2, §7.3). */
  async function ask<O extends Asked>(operation: O, sent: Sent<O> = {}): Promise<Operation<O>['answer']> {
    for (let tries = 1; ; tries++) {
      const answer = await exchange(operation, sent).catch(lost)
      const body = await answer.json().catch(lost)
      if (answer.ok) return body
      const wait = tries < mostTries ? waitAfter(body.error, answer.headers, tries) : undefined
      if (wait === undefined) throw new Refusal(body)
      await sleep(wait)
    }
  }

  /** Tries again what gets no answer; `attempt` is given the number of the try. */
  async function insistOn<T>(attempt: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(tries)
      } catch (error) {
        if (!(error instanceof NoAnswer) || tries === mostTries) throw error
        await sleep(backOff(tries))
      }
    }
  }

  /** Asks for what may be asked twice without harm. */
  const insist = <O extends Asked>(operation: O, sent: Sent<O> = {}) => insistOn(() => ask(operation, sent))

  /** Starts a run, and returns how often to look for its end. A busy agent has accepted it (§3.3). */
  async function start(task: Task, isAgain = false): Promise<number> {
    const params = { id: task.id }
    try {
      await ask('runTask', { params })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'busy') return mostLooks
      // Perhaps because the request whose answer was lost was accepted.
      if (error instanceof Refusal && error.code === 'invalid_request' && isAgain) return fewLooks
      if (!(error instanceof NoAnswer)) throw error
      // It may have been paid for already: the task tells.
      const { task: now, finished } = await insist('getTask', { params })
      if (!finished && now.status === task.status) return start(task, true)
    }
    return mostLooks
  }

  return {
    whoami: () => insist('whoami'),
    listTasks: () => insist('listTasks'),
    /** The prospects of the extended route set; undefined: the service does not offer it. */
    listLeads: () =>
      insist('listLeads').catch((error) => {
        if (error instanceof Refusal && error.code === 'not_found') return undefined
        throw error
      }),
    async createTask(body: Operation<'createTask'>['body']): Promise<Task> {
      // Those that are there already may have the same text.
      const before = new Set((await insist('listTasks')).items.map(({ id }) => id))
      const isNew = ({ id, text }: Task) => text.trim() === body.text.trim() && !before.has(id)
      return insistOn(async (tries) => {
        // After a lost answer it may exist: the list tells.
        const found = tries > 1 ? (await insist('listTasks')).items.find(isNew) : undefined
        return found ?? (await ask('createTask', { body })).task
      })
    },
    /** Runs a task and waits for its end, which `finished` tells: the names of statuses are the service's (§3.1). */
    async runTask(task: Task): Promise<Task> {
      for (let looks = await start(task); looks > 0; looks--) {
        const look = await insist('getTask', { params: { id: task.id } })
        if (look.finished) return look.task
        await sleep(pollEvery)
      }
      throw new NoAnswer(`task ${task.id} has not ended`)
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const backOff = (tries: number) => 1_000 * 2 ** (tries - 1)

function lost(cause: unknown): never {
  throw new NoAnswer('no answer that can be read', { cause })
}

/** ms to wait before the same request is worth another try; undefined: it never is. */
function waitAfter(code: string, headers: Headers, tries: number): number | undefined {
  if (code === 'unavailable') return backOff(tries)
  if (code !== 'rate_limited') return undefined
  const after = headers.get('retry-after') ?? '1'
  if (/^\d+$/.test(after)) return Number(after) * 1_000
  // A date is read against the clock of the service.
  return Math.max(0, Date.parse(after) - Date.parse(headers.get('date') ?? new Date().toUTCString()))
}
