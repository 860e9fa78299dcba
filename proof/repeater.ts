/** Sends requests of a run again, each in the state in which it was sent. */
import { routeOf } from '#contract/operation.ts'
import type { ArrangedEvent, ModelEvent } from '#contract-tests/model/event.ts'
import type { Exchange } from '#traffic/exchange.ts'

type State = Pick<ArrangedEvent, 'state' | 'params'>

/**
 * Sends requests again, one after the other, and tells the status of each. `send`: to the mock as it is after the run.
 * `history`: of the run.
 */
export function repeaterOf(send: (request: Request) => Promise<Response>, history: readonly ModelEvent[]) {
  /** What is set up now. */
  let arranged: readonly State[] = []

  async function organizationOf({ url, headers }: Request): Promise<string | undefined> {
    const authorization = headers.get('authorization') ?? ''
    const whoami = new Request(new URL('/api/cli/whoami', url), { headers: { authorization } })
    const answer = (await (await send(whoami)).json().catch(() => ({}))) as { org?: { id: string } }
    return answer.org?.id
  }

  /** Sets a state up, or tears it down, at the mock of a request. */
  async function change({ url }: Request, { state, params }: State, action = 'setup'): Promise<void> {
    const body = JSON.stringify({ state, params, action })
    const headers = { 'content-type': 'application/json' }
    await send(new Request(new URL('/__admin/states', url), { method: 'POST', headers, body }))
  }

  // A clone could lose its body once the request that it was made of is collected.
  return async (exchange: Exchange, requested: () => Request): Promise<number> => {
    const { status, operation } = exchange
    const request = requested()
    const org_id = await organizationOf(request)
    const wanted = arrangedFor(exchange, history)
    // What all requests of a run reached together.
    if (status === 429 && !wanted.some(isLimit))
      wanted.push({ state: 'rate_limit', params: { org_id, limit: 1, window_s: 60 } })
    const isSame = JSON.stringify(wanted) === JSON.stringify(arranged)
    if (!isSame) for (const one of arranged) await change(request, one, 'teardown')
    const isBusy = isSame && wanted.some(({ state }) => state === 'agent_busy')
    if (routeOf(operation).cost > 0 && !isBusy)
      await change(request, { state: 'agent_idle', params: { org_id } })
    const isBroke = wanted.some(
      ({ state, params }) => state === 'credits' && params.credits === 0 && params.org_id === org_id,
    )
    const credits = isBroke || status === 402 ? 0 : 20
    await change(request, { state: 'credits', params: { org_id, credits } })
    if (!isSame) for (const one of wanted) if (one.state !== 'credits') await change(request, one)
    arranged = wanted
    let answer = await send(requested())
    // The first requests are within a limit.
    for (let left = Number(wanted.find(isLimit)?.params.limit ?? 0); left > 0; left--)
      if (answer.status !== status) answer = await send(requested())
    return answer.status
  }
}

const isLimit = ({ state }: State) => state === 'rate_limit'

/** What was arranged for all organizations when a request was sent, and was not over. */
function arrangedFor({ number, status }: Exchange, history: readonly ModelEvent[]): State[] {
  const request = history.find((one) => one.kind === 'request' && one.id === number)
  if (!request) return []
  const last = new Map<string, ArrangedEvent>()
  for (const one of history)
    if (one.kind === 'arranged' && one.received.place < request.sent.place)
      last.set(`${one.state} of ${one.tenant}`, one)
  const isOver = ({ state, action, received, params: { duration_ms = Infinity } }: ArrangedEvent) =>
    action === 'teardown' ||
    // It failed another generation.
    (state === 'next_creative_fails' && status < 400) ||
    state === 'agent_idle' ||
    received.ms + Number(duration_ms) <= request.sent.ms
  return [...last.values()].filter((one) => !isOver(one)).map(({ state, params }) => ({ state, params }))
}
