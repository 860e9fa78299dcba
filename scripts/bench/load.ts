/** Sends load with autocannon, installed beside the peers (docs/decisions/0003). */
import { installTool } from './install.ts'

/** A request, in the terms of autocannon. `context` lives for one pass over the requests. */
export interface Request {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly onResponse?: (status: number, body: string, context: { id?: string }) => void
  readonly setupRequest?: (request: Request, context: { id?: string }) => Request
}

type Count = 'duration' | 'errors' | 'timeouts' | 'non2xx'
type Autocannon = (options: object) => Promise<{ requests: { total: number } } & Record<Count, number>>

/** What sends the load. */
export const generator = 'autocannon@9'

/**
 * Sends the requests in turn over keep-alive connections, one request under way on each: for a `duration` in seconds
 * or until the `amount` is sent. Returns how many were answered, and in how many seconds.
 * @throws Error if a connection fails or an answer is not 2xx.
 */
export async function send(
  port: number,
  requests: readonly Request[],
  options: { connections?: number; duration?: number; amount?: number },
) {
  const autocannon = installTool(generator) as Autocannon
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    headers: { Authorization: 'Bearer wak_test_demo', 'Content-Type': 'application/json' },
    connections: Math.min(20, options.amount ?? 20),
    sampleInt: 50,
    requests,
    ...options,
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`)
  return { count: result.requests.total, seconds: result.duration }
}
