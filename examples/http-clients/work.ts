/** The work that each HTTP client does here: it creates a task, runs it and polls it to its end. */

/** An answer with its body, whatever its status is. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: as most scripts read JSON
  readonly body: any
}

/** Sends a request by an HTTP client; rejects if no answer comes. */
export type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

/** The address of the service, and the headers of every request. */
export interface Access {
  readonly base: string
  readonly headers: { readonly authorization: string }
}

/** The two set-ups of an HTTP client: with its default settings, and with settings that fix what it gets wrong. */
export interface SetUps {
  readonly usual: (access: Access) => Send
  readonly fixed: (access: Access) => Send
}

/**
 * Creates a task, runs it and polls it to its end by an HTTP client; `fixed` as the first argument of the process
 * selects that set-up.
 */
export async function main({ usual, fixed }: SetUps): Promise<void> {
  const { WORK_AGENT_BASE_URL = '', WORK_AGENT_API_KEY } = process.env
  const access = {
    base: `${WORK_AGENT_BASE_URL}/api/cli/`,
    headers: { authorization: `Bearer ${WORK_AGENT_API_KEY}` },
  }
  const isFixed = process.argv[2] === 'fixed'
  try {
    console.log(await work((isFixed ? fixed : usual)(access), isFixed))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Returns the last status of the task. */
async function work(send: Send, looksFirst: boolean): Promise<string> {
  const { task } = successOf(await send('POST', 'tasks', { text: 'Say hello' }))
  const path = `tasks/${encodeURIComponent(task.id)}`
  await start(send, path, task.status, looksFirst)
  for (let looks = 0; looks < 120; looks++) {
    const { task, finished } = successOf(await send('GET', path))
    if (finished) return task.status
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error('the run takes too long')
}

/** Starts a run. `looksFirst`: after a lost answer it looks whether the run was accepted, instead of giving up. */
async function start(send: Send, path: string, before: string, looksFirst: boolean): Promise<void> {
  try {
    const answer = await send('POST', `${path}/run`)
    // A busy agent has accepted the run (§3.3).
    if (answer.body.error !== 'busy') successOf(answer)
  } catch (error) {
    if (!looksFirst || error instanceof Refusal) throw error
    const { task, finished } = successOf(await send('GET', path))
    if (!finished && task.status === before) await start(send, path, before, looksFirst)
  }
}

/** The service answered with an error. */
class Refusal extends Error {}

function successOf({ status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Refusal(`${body.error}: ${body.message}`)
  return body
}
