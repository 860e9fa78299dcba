/** What clients send to a mock, recorded as a HAR. */
import type { Mock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { type Client, clientWith } from './bad-clients/bad-client.ts'
import { endOf, noon } from './bad-clients/try-client.ts'
import { createMutated, type Mutation } from './mutations/mutation.ts'

/** What a client has sent and received, as a HAR. Each request takes some time. */
export async function recorded(
  options: MockOptions,
  client = clientWith(),
  mutations: readonly Mutation[] = [],
): Promise<Har> {
  const mock = createMutated(mutations, { now: noon, ...options })
  mock.clock.freeze()
  return recordedOn(mock, client)
}

/** The same of a mock that exists, whose clock stands still. */
export async function recordedOn(mock: Mock, client = clientWith()): Promise<Har> {
  const entries: object[] = []
  const recording: Client = ({ fetch, ...connection }) =>
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
  for (let run = 0; run < 2; run++) await endOf(recording, mock, () => undefined)
  return { log: { entries } }
}

const pairsOf = (headers: Headers) => [...headers].map(([name, value]) => ({ name, value }))

export interface Har {
  readonly log: { readonly entries: readonly object[] }
}
