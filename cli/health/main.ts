/** `health`: whether a service answers. Exit codes: 0 it does, 1 it does not, 2 usage. */
import { readBody } from '#contract-tests/client/answer.ts'
import { parsed } from '#traffic/json-bounds.ts'
import type { Given } from '../flags.ts'
import { tell } from '../screen.ts'
import { readBaseUrl } from '../service-url.ts'

export async function runHealth(given: Given): Promise<number | undefined> {
  const url = readBaseUrl(given, 'url') ?? 'http://127.0.0.1:4402'
  const problem = await problemOf(`${url}/api/cli/whoami`, given.duration('timeout', 3_000, 1))
  if (problem === undefined) return undefined
  tell('health', problem)
  return 1
}

/** What is wrong with the answer to a request without a key; undefined: nothing. */
async function problemOf(url: string, timeout: number): Promise<string | undefined> {
  const needed = 'not with 401 and {"error":"unauthorized"}'
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    const { text } = await readBody(response)
    if (response.status === 401 && Object(parsed(text)).error === 'unauthorized') return undefined
    return `${url} answers ${response.status}, ${needed}`
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    if (name === 'TimeoutError') return `${url} does not answer within ${timeout / 1_000} s`
    return `${url} does not answer: ${cause?.code ?? cause?.message ?? message}`
  }
}
