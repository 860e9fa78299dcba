/** Any service over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Target } from '../transport.ts'

/** A target at a base URL, which may have a path; a trailing slash does not matter. */
export function httpTarget(baseUrl: string): Target {
  const agent = new Agent({ keepAliveTimeout: 4_000, pipelining: 1 })
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    async transport(url, { method, headers, body, signal }) {
      const init = {
        method,
        headers,
        dispatcher: agent,
        redirect: 'manual' as const,
        body: body ?? null,
        signal: signal ?? null,
      }
      return (await fetch(url, init)) as unknown as Response
    },
    sleep: (ms) => sleep(ms),
    now: () => performance.now(),
    close: () => agent.close(),
  }
}
