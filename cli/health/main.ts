/** `health`: whether a service answers. Exit codes: 0 it does, 1 it does not, 2 usage. */
import { readResponseBody } from '#contract-tests/client/answer.ts'
import { isLoopback } from '#mocks/edges/guard.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import type { GivenOptions } from '../flags.ts'
import { logError } from '../screen.ts'
import { readBaseUrl } from '../service-url.ts'

/** Runs `health`: asks a service once; returns the exit code 1 if it does not answer, else undefined. */
export async function runHealth(given: GivenOptions): Promise<number | undefined> {
  const url = readBaseUrl(given, 'url') ?? 'http://127.0.0.1:4402'
  const problem = await problemOf(`${url}/api/cli/whoami`, given.duration('timeout', 3_000, 1))
  if (problem === undefined) return undefined
  logError('health', problem)
  return 1
}

/** Problem with the answer to a request without a key; undefined if there is none. */
async function problemOf(url: string, timeout: number): Promise<string | undefined> {
  const needed = 'not with 401 and {"error":"unauthorized"}'
  try {
    const { status, text } = await answerOf(url, timeout)
    if (status === 401 && Object(parseJson(text)).error === 'unauthorized') return undefined
    return `${url} answers ${status}, ${needed}`
  } catch (error) {
    const { name, message, code, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException }
    if (name === 'TimeoutError') return `${url} does not answer within ${timeout / 1_000} s`
    return `${url} does not answer: ${cause?.code ?? code ?? cause?.message ?? message}`
  }
}

const isHere = (url: string): boolean => {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || isLoopback(hostname.replaceAll(/[[\]]/g, ''))
}

/** The answer of a service. A proxy that the environment names is not used for this machine. */
async function answerOf(url: string, timeout: number): Promise<{ status: number; text: string }> {
  const undici = isHere(url) ? await import('undici') : undefined
  const signal = AbortSignal.timeout(timeout)
  if (!undici) {
    const response = await fetch(url, { redirect: 'manual', signal })
    return { status: response.status, text: (await readResponseBody(response)).text }
  }
  const { statusCode, body } = await undici.request(url, {
    signal,
    dispatcher: new undici.Agent({ pipelining: 0 }),
  })
  return { status: statusCode, text: await body.text() }
}
