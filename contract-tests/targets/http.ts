/** Any service over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { Agent, fetch } from 'undici'
import { bytesOf } from '#traffic/odd-input.ts'
import type { Target } from '../client/target.ts'

/** Whose certificates to trust. */
export interface Trust {
  /** Certificates of authorities in PEM form, in addition to those that Node trusts. */
  readonly ca?: string | undefined
  /** Accept any certificate. */
  readonly insecure?: boolean
}

/** A target at a base URL, which may have a path; a trailing slash does not matter. */
export function httpTarget(baseUrl: string, { ca, insecure = false }: Trust = {}): Target {
  const connect = {
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  }
  const agent = new Agent({ keepAliveTimeout: 4_000, pipelining: 1, connect })
  const freshAgent = new Agent({ pipelining: 0, connect })
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    async transport(url, { method, headers, body, signal, fresh }) {
      const init = {
        method,
        headers,
        dispatcher: fresh ? freshAgent : agent,
        redirect: 'manual' as const,
        body: body === undefined ? null : bytesOf(body),
        signal: signal ?? null,
      }
      return (await fetch(url, init)) as unknown as Response
    },
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
    now: () => performance.now(),
    close: async () => void (await Promise.all([agent.destroy(), freshAgent.destroy()])),
  }
}
