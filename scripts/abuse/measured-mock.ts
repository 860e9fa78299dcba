/** A mock in a process of its own, whose memory and descriptors are measured. */
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startProcessUntilReady } from '#cli/testing/run.ts'

/**
 * The path of the program that starts a mock: its sources, or the published form if a test has built it, which starts
 * three times faster.
 */
export const mockProgramPath = () =>
  process.env.ABUSE_COMMAND ?? join(import.meta.dirname, '../../cli/main.ts')

/** A script that sends its memory after a collection to whoever asks, and sets its clock back by a number of ms. */
const probe = `process.on('message', (told) => {
  const { now } = Date
  if (typeof told === 'number') Date.now = () => now() - told
  else gc(), gc(), process.send(process.memoryUsage().heapUsed)
})
process.channel.unref()`

/**
 * Fetches a URL, and tries once more after an error: a busy machine notices late that the mock has closed a kept
 * connection.
 */
export const fetchWithRetry: typeof fetch = (...asked) => fetch(...asked).catch(() => fetch(...asked))

/**
 * Starts a mock in a process of its own, with flags, and measures its memory and descriptors. `limits`: shell commands
 * to run before, such as `ulimit -n 40`.
 */
export async function startMeasuredMock(flags: readonly string[], limits = ':') {
  const node = [
    '--expose-gc',
    '--import',
    `data:text/javascript,${encodeURIComponent(probe)}`,
    mockProgramPath(),
  ]
  const mock = ['mock', '--port', '0', '--log', 'json', ...flags]
  const shell = ['-c', `${limits}; exec "$0" "$@"`, process.execPath, ...node, ...mock]
  const { child, ready, errors, stop } = await startProcessUntilReady('sh', shell, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { url } = ready
  const folder = `/proc/${child.pid}/fd`
  return {
    url,
    child,
    errors,
    /** Its heap after a garbage collection, MB. */
    async heap(): Promise<number> {
      child.send('heap')
      const [bytes] = await once(child, 'message')
      return bytes / 1e6
    },
    /** The number of its open descriptors; 0 where the system does not tell. */
    descriptors: () => (existsSync(folder) ? readdirSync(folder).length : 0),
    /** Makes a control call. @throws Error if it fails. */
    async control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
      const sent = body && { body: JSON.stringify(body) }
      const response = await fetchWithRetry(`${url}/__admin${path}`, { method, ...sent })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    },
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  }
}
