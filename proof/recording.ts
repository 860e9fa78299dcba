/** Requests of clients to a mock, recorded as a HAR. */
import { createMock, type Mock } from '#mocks/app.ts'
import { answerDifference } from '#mocks/rebuilt.ts'
import { type MockOptions, scenarios } from '#mocks/scenarios/index.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import { type ClientProgram, referenceClientWithFlaw } from './bad-clients/bad-client.ts'
import { runClientToEnd, trialStartMs } from './bad-clients/try-client.ts'
import { createMutatedMock, type Mutation } from './mutations/mutation.ts'

/**
 * The scenarios that tests of recordings use: all but one, which takes as long as the others together and is tried only
 * in exhaustive test runs.
 */
export const quickScenarios = scenarios.filter(
  ({ id }) => isExhaustiveTestRun || id !== 'five-thousand-tasks',
)

/** Runs a client against a new mock, and returns its traffic as a HAR. */
export async function recordClientOnNewMock(
  options: MockOptions,
  client = referenceClientWithFlaw(),
  mutations: readonly Mutation[] = [],
): Promise<HarRecording> {
  const mock = createMutatedMock(mutations, { now: trialStartMs, ...options })
  mock.clock.freeze()
  return recordClientOn(mock, client)
}

/** Runs a client against an existing mock, whose clock is frozen, and returns its traffic as a HAR. */
export async function recordClientOn(mock: Mock, client = referenceClientWithFlaw()): Promise<HarRecording> {
  const entries: object[] = []
  const recording: ClientProgram = ({ fetch, ...connection }) =>
    client({
      ...connection,
      fetch: async (url, init) => {
        const at = mock.clock.now()
        mock.clock.advance(3)
        const response = await fetch(url, init).catch((error) => error as Error)
        const answer = response instanceof Response ? response : undefined
        const text = await answer
          ?.clone()
          .text()
          .catch(() => undefined)
        entries.push({
          startedDateTime: new Date(at).toISOString(),
          time: 2,
          request: {
            method: init.method ?? 'GET',
            url,
            headers: pairsOf(new Headers(init.headers)),
            postData: init.body ? { text: String(init.body) } : undefined,
          },
          response: {
            status: answer?.status ?? 0,
            headers: pairsOf(answer?.headers ?? new Headers()),
            content: { text },
          },
        })
        if (answer === undefined) throw response
        return answer
      },
    })
  for (let run = 0; run < 2; run++) await runClientToEnd(recording, mock, () => undefined)
  return { log: { entries } }
}

const pairsOf = (headers: Headers) => [...headers].map(([name, value]) => ({ name, value }))

/** A recording of requests in the HAR format. */
export interface HarRecording {
  readonly log: { readonly entries: readonly object[] }
}

/** The facts that a client can tell of an answer: its request, its status (any 2xx is alike) and its error code. */
const told = ({ method, url, status, text }: Pick<RecordedExchange, 'method' | 'url' | 'status' | 'text'>) =>
  `${method} ${url} ${status >= 200 && status < 300 ? '2xx' : status} ${valueAtPath(parseJson(text), 'error') ?? ''}`

/**
 * Compares two recordings of the same requests; returns how the second differs from the first where the specification
 * leaves services no choice; empty if it does not.
 */
export function recordingDifferences(
  before: readonly RecordedExchange[],
  after: readonly RecordedExchange[],
): string[] {
  return before.flatMap((one, i) => {
    const other = after[i]
    if (!other || told(one) !== told(other)) return `${told(one)}; ${other ? told(other) : 'nothing'}`
    return one.status < 300 ? (answerDifference(parseJson(one.text), parseJson(other.text)) ?? []) : []
  })
}

/** A client that sends requests as two organizations to every operation but the run of a task. */
export const clientWithoutRunRequests: ClientProgram = async ({ fetch, apiKey, sleep }) => {
  const other = createMock().credentials()
  const ask = async (method: string, path: string, body?: object, secret = apiKey) => {
    const credential = path.startsWith('keys')
      ? { cookie: other.sessionCookie }
      : { authorization: `Bearer ${secret}` }
    const headers = { ...credential, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`http://mock.test/api/cli/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  await ask('GET', 'whoami')
  await ask('GET', 'whoami', undefined, other.otherApiKey)
  const { items } = await ask('GET', 'documents?all=1', undefined, other.otherApiKey)
  for (const key of [other.otherApiKey, apiKey])
    await ask('GET', `documents/${items?.[0]?.id}`, undefined, key)
  const { item } = await ask('POST', 'documents', { title: 'Plan', content_md: '# Plan', folder_id: 'f1' })
  await ask('GET', `documents/${item?.id}`)
  await ask('GET', 'documents?folder_id=f1')
  const { key, secret } = await ask('POST', 'keys', { name: 'Laptop' })
  await ask('GET', 'whoami', undefined, secret)
  const { task } = await ask('POST', 'tasks', { text: 'Say hello' }, secret)
  await ask('POST', `tasks/${task?.id}/run`)
  await ask('POST', `tasks/${task?.id}/run`)
  await ask('POST', `tasks/${task?.id}/run`, undefined, other.otherApiKey)
  await sleep(3_000)
  const notifications = await ask('GET', 'notifications')
  await ask('POST', `notifications/${notifications.items?.[0]?.id}/read`)
  await ask('GET', 'notifications')
  await ask('DELETE', `keys/${key?.id}`)
  await ask('GET', 'whoami', undefined, secret)
  for (const path of ['keys', 'leads', 'meta/campaigns', 'wallet', 'landing-pages']) await ask('GET', path)
  await ask('POST', 'creatives', { prompt: 'A house' })
  await ask('POST', 'landing-pages', { business_name: 'House' })
  await ask('POST', 'tasks', {})
  await sleep(3_000)
  for (const path of ['tasks', 'documents?all=1', 'landing-pages', 'whoami']) await ask('GET', path)
}
