/** Any service over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Target } from '../client/target.ts'

/** A target at a base URL, which may have a path; a trailing slash does not matter. */
export function httpTarget(baseUrl: string): Target {
  const agent = new Agent({ keepAliveTimeout: 4_000, pipelining: 1 })
  const freshAgent = new Agent({ pipelining: 0 })
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    async transport(url, { method, headers, body, signal, fresh }) {
      const init = {
        method,
        headers,
        dispatcher: fresh ? freshAgent : agent,
        redirect: 'manual' as const,
        body: body ?? null,
        signal: signal ?? null,
      }
      return (await fetch(url, init)) as unknown as Response
    },
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
    now: () => performance.now(),
    close: async () => void (await Promise.all([agent.close(), freshAgent.close()])),
  }
}
