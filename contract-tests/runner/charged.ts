/**
 * Finds free requests that cost credits, beyond those that FREE-… compare, by sending each kind that was sent again.
 */
import { type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { creditsSpentBetween, readCredits } from '../fixtures/credits.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { isBalanceChangingByItself, wrongBalanceError } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import { freeKeyAuthorizedOperations } from '../harness/operations.ts'
import type { PostRunViolation } from './unmet-runs.ts'

/**
 * Searches for a free operation that costs credits, if a balance was wrong without explanation; returns its violation,
 * or undefined if there is none.
 */
export async function findWrongChargeViolation(t: TestContext): Promise<PostRunViolation | undefined> {
  const isDoubted =
    t.run.isBalanceDoubted ||
    (await t.run.objections()).some(({ rule, subject }) => rule !== 'refund-comes' && subject === 'balance')
  if (!isDoubted || hasSeenOtherClients(t)) return undefined
  for (const one of t.all) {
    const found = await findChargedIn(one)
    if (found) return found
  }
  return undefined
}

async function findChargedIn(t: TestContext): Promise<PostRunViolation | undefined> {
  if (await isBalanceChangingByItself(t)) return undefined
  const own: readonly Exchange['caller'][] = t.first ? ['other'] : ['main', 'created key']
  const sent = t.recorder.exchanges.filter(
    (one) =>
      operations.some((free) => free === one.operation) && own.includes(one.caller) && hasSuccessStatus(one),
  )
  const charged = await firstCharged(t, [...new Map(sent.map((one) => [kindOf(one), one])).values()])
  if (!charged) return undefined
  const { before, answers, after } = await sendAgain(t, [charged])
  if (creditsSpentBetween(before, after) <= 0) return undefined
  const violation = wrongBalanceError(t, `${before} credits, as before`, { before, after }, ...answers)
  return { id: `FREE-${charged.operation}`, violation }
}

const operations = freeKeyAuthorizedOperations.filter((one) => one !== 'whoami')

/**
 * Traits that may decide whether a request is charged for: who sends it, with which parameters and fields, and how
 * long.
 */
function kindOf({ operation, caller, url, requestBody = '' }: Exchange): string {
  const names = [...new URL(url).searchParams.keys(), ...Object.keys(Object(parseJson(requestBody)))]
  return [operation, caller, ...names.toSorted(), String(requestBody.length).length].join(' ')
}

/** One of some requests, found by halving, whose repetition costs something, as that of all together did. */
async function firstCharged(t: TestContext, all: readonly Exchange[]): Promise<Exchange | undefined> {
  const { before, after } = await sendAgain(t, all)
  if (creditsSpentBetween(before, after) <= 0) return undefined
  if (all.length < 2) return all[0]
  const half = Math.ceil(all.length / 2)
  return (await firstCharged(t, all.slice(0, half))) ?? firstCharged(t, all.slice(half))
}

/** Sends free requests again, between two readings of the balance. */
async function sendAgain(t: TestContext, all: readonly Exchange[]) {
  const before = await readCredits(t)
  const answers: Exchange[] = []
  for (const exchange of all) {
    const { operation, caller, url, requestBody, requestHeaders } = exchange
    const client = t.as(caller, { authorization: requestHeaders.authorization ?? '' })
    const id = decodedPathId(exchange)
    const query = Object.fromEntries(new URL(url).searchParams)
    const body = requestBody === undefined ? {} : { body: requestBody }
    answers.push(await client.call(operation, { query, ...(id !== undefined && { id }), ...body }))
  }
  return { before, answers, after: await readCredits(t) }
}
