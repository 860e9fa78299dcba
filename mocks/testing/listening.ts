/** A mock behind a real listener for one test, with two independent clients: undici and curl. */
import { execFile } from 'node:child_process'
import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import type { Mock } from '../app.ts'
import { type Address, listen } from '../edges/http.ts'

/** A response over a connection; `error`: the code of undici if there is none. */
interface ReceivedResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  readonly error: string | undefined
}

/**
 * Serves a mock until the test ends, on a free port of the loopback interface unless told otherwise; returns its URL and
 * `send`.
 */
export async function listenUntilTestEnd(mock: Mock, address: Partial<Address> = {}) {
  const listener = await listen(mock, { host: '127.0.0.1', port: 0, ...address })
  const agent = new Agent({ connections: 1, pipelining: 1 })
  onTestFinished(async () => {
    await agent.destroy()
    await listener.close()
  })

  /** Sends a request over a keep-alive connection; never throws. */
  async function send(method: string, path: string, init: Sent = {}): Promise<ReceivedResponse> {
    const { key, body, headers = {}, timeout = 5_000, signal } = init
    const sent = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    try {
      const response = await request(listener.url + path, {
        method,
        headers: sent,
        dispatcher: agent,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        ...(signal ? { signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { statusCode: status, headers: received } = response
      return { status, headers: received, text: await response.body.text(), error: undefined }
    } catch (error) {
      return { status: 0, headers: {}, text: '', error: nameOf(error) }
    }
  }

  return { url: listener.url, listener, send }
}

interface Sent {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Timeout between bytes, ms. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

function nameOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}

/** Runs curl without a proxy; returns its exit code and output. */
export function runCurl(...args: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile('curl', ['--silent', '--noproxy', '*', '--max-time', '5', ...args], (error, out) => {
      resolve({ code: error ? Number(error.code) : 0, out })
    })
  })
}
