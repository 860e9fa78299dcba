/** Short histories for tests: requests with their answers, one after the other, 1 ms between moments. */
import type { OperationId } from '#contract/operation.ts'
import type { ModelEvent, ProviderStateEvent, RequestEvent } from '../index.ts'

/** A provider state that was set up or torn down, in a short form for tests of the model. */
export type GivenProviderState = Pick<Partial<ProviderStateEvent>, 'action' | 'params'> & {
  readonly arranged: string
}

/** A request and its answer, in short, for tests of the model. */
export type GivenRequest = Partial<Omit<RequestEvent, 'answer' | 'kind'>> & {
  operation: OperationId
  status?: number
  json?: unknown
}

/** A request with a JSON answer, whose status is 200 unless given otherwise. */
export const answeredRequest = (
  operation: OperationId,
  json: unknown,
  request: Omit<GivenRequest, 'operation' | 'json'> = {},
): GivenRequest => ({ operation, json, ...request })

/** A history of the given requests and states, one after the other. */
export function buildHistory(given: readonly (GivenRequest | GivenProviderState)[]): ModelEvent[] {
  const moment = (seq: number) => ({ seq, ms: seq })
  return given.map((one, i) => {
    const common = { id: i + 1, tenant: 'main', sent: moment(2 * i + 1) }
    const received = moment(2 * i + 2)
    if ('arranged' in one) {
      const { arranged: state, action = 'setup', params = {} } = one
      return { ...common, kind: 'arranged', state, action, params, received }
    }
    const { status = 200, json, ...request } = one
    return { ...common, kind: 'request', ...request, answer: { status, json, received } }
  })
}
