/** Adds to the evidence of a violation what it rests on: the requests that created, deleted or measured. Pure. */
import { createdSecret } from '#traffic/curl.ts'
import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { decoded, requestedId } from '#traffic/odd-input.ts'
import { createdId } from '../harness/created.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { MadeKey } from '../harness/run-state.ts'
import { nameOfAltered } from '../report/secrets.ts'

/** What the run has sent, and the keys that it has created. */
interface History {
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly MadeKey[]
}

/** The result with complete evidence, in the order in which it was sent. */
export function withOrigins(result: RequirementResult, history: History): RequirementResult {
  const { evidence } = result
  const [first] = evidence
  if (!first) return result
  const all = new Set([
    ...evidence.flatMap((one) => [...creationsOf(one, result, history), ...keyOf(one, history)]),
    ...balancesOf(result, first, history),
    ...evidence,
  ])
  return { ...result, evidence: [...all].toSorted((a, b) => a.number - b.number) }
}

/** The requests that created what a request, or the text of the violation, names. */
function creationsOf(
  one: Exchange,
  { expected, actual }: RequirementResult,
  { exchanges }: History,
): Exchange[] {
  const path = decoded(new URL(one.url).pathname) ?? ''
  const named = `${path.replace(/\/(?:run|read)$/, '')}/ ${expected} ${actual} `
  return exchanges.filter((creation) => {
    if (creation.number >= one.number || !isAccepted(creation)) return false
    const id = createdId(creation)
    return id !== undefined && (named.includes(`/${id}/`) || named.includes(` ${id} `))
  })
}

/** The requests that created, and deleted, the key that a request carries, wherever it carries it. */
function keyOf({ url, requestHeaders, number }: Exchange, { exchanges, secrets }: History): Exchange[] {
  const sent = [url, ...Object.values(requestHeaders)].join('\n')
  const key = requestHeaders.authorization?.replace(/^\S+ /, '') ?? ''
  const carries = (value: string) =>
    [value, encodeURIComponent(value)].some((one) => sent.includes(one)) || isAltered(key, value)
  const made = secrets.find(({ secret, others }) => [secret, ...others].some(carries))
  if (!made) return []
  const isItsDeletion = (one: Exchange) => one.operation === 'deleteKey' && requestedId(one) === made.id
  return exchanges.filter(
    (one) => one.number < number && (one.number === made.shownBy || (isAccepted(one) && isItsDeletion(one))),
  )
}

/** Whether a text is a secret with a small alteration. */
const isAltered = (text: string, value: string) => nameOfAltered(text, createdSecret(value)) !== undefined

/** The last response of whoami before a paid request, and the last one that shows the balance afterwards. */
function balancesOf(
  { offBy, balances }: RequirementResult,
  first: Exchange,
  { exchanges }: History,
): Exchange[] {
  if (offBy === undefined || balances === undefined) return []
  const isBalance = ({ operation }: Exchange) => operation === 'whoami'
  const shows = (credits: number) => (one: Exchange) =>
    isBalance(one) && field(one.json, 'credits') === credits
  const before = exchanges.findLast((one) => one.number < first.number && shows(balances.before)(one))
  const after = exchanges.find((one) => one.number > first.number && shows(balances.after)(one))
  return [before, after].filter((one) => one !== undefined)
}
