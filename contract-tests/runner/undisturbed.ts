/** Which findings of the model nobody else can have caused, although others could in another run. Pure. */

import type { Exchange } from '#traffic/exchange.ts'
import { field } from '#traffic/exchange.ts'
import { showsStrangers } from '../evidence/strangers.ts'
import type { ModelEvent, ModelViolation, RequestEvent } from '../model/index.ts'

/** Times that a contradiction must be seen: others may once change a balance and change it back. */
const times = 2

/** The rules that object to a balance that our own work does not explain. */
const ofBalances = new Set(['credits-explained-whoami', 'refund-comes'])

/**
 * The violations that count without being tried again: those that others cannot cause, and wrong balances beside a
 * list or a creation, if they were seen several times between two equal balances, in an organization whose every
 * balance is explained by our own work and which shows no task of somebody else.
 */
export function certain(
  violations: readonly ModelViolation[],
  history: readonly ModelEvent[],
  exchanges: readonly Exchange[],
): ModelViolation[] {
  const requests = history.filter((one) => one.kind === 'request')
  const events = new Map(requests.map((one) => [one.id, one]))
  const eventOf = ({ because }: ModelViolation) => events.get(because.at(-1) ?? 0)
  const disturbed = new Set(
    violations.filter(({ rule }) => ofBalances.has(rule)).map((one) => eventOf(one)?.tenant),
  )
  const isShared = showsStrangers(exchanges)
  const enclosed = violations.filter((one) => {
    const event = one.others === 'balance' && !isShared ? eventOf(one) : undefined
    return event && !disturbed.has(event.tenant) && isEnclosed(event, requests)
  })
  return violations.filter((one) =>
    one.others === 'balance'
      ? enclosed.includes(one) && enclosed.filter(({ rule }) => rule === one.rule).length >= times
      : !one.others,
  )
}

/** Whether the balances read before and after an answer are equal, and nothing was paid for in between. */
function isEnclosed({ tenant, sent, answer }: RequestEvent, requests: readonly RequestEvent[]): boolean {
  const own = requests.filter((one) => one.tenant === tenant)
  const read = own.filter(({ operation, answer }) => operation === 'whoami' && answer?.status === 200)
  const end = answer?.received.place ?? Number.POSITIVE_INFINITY
  const before = read.findLast((one) => (one.answer?.received.place ?? 0) < sent.place)
  const after = read.find((one) => one.sent.place > end)
  if (!before || !after || creditsIn(before) !== creditsIn(after)) return false
  return !own.some(
    (one) =>
      isPaid.has(one.operation) && one.sent.place > before.sent.place && one.sent.place < after.sent.place,
  )
}

const isPaid: ReadonlySet<RequestEvent['operation']> = new Set(['runTask', 'generateCreative'])

const creditsIn = ({ answer }: RequestEvent) => field(answer?.json, 'credits')
