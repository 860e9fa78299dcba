/** Answers of something in front of the service: they are named once, and nothing else rests on them. */
import type { Exchange } from '#traffic/exchange.ts'
import { isFromFrontServer, type Recorder } from '../client/recorder.ts'
import { consequenceError } from '../harness/expect.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { isCheck } from '../harness/requirement.ts'
import { documentedErrorStatuses } from '../model/index.ts'
import { isViolated, resultOfError } from './results.ts'

/** `403 text/html`: an answer by what all answers of its sender have in common. */
function kindOf({ status, headers }: Exchange): string {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return `${status} ${type || 'without a content type'}`
}

/**
 * A result, turned into `not_exercised` if its violation rests on an answer of a gateway; requirements on the form of
 * every answer stay violated.
 */
export function discountGatewayViolation(result: RequirementResult): RequirementResult {
  const { requirement, evidence } = result
  const last = evidence.at(-1)
  const isAboutForm = !isCheck(requirement) || requirement.observe !== undefined
  if (!last || isAboutForm || !isViolated(result) || !isFromFrontServer(last)) return result
  const cause = documentedErrorStatuses.includes(last.status) ? 'ANSWER-JSON' : 'ERROR-STATUS'
  return resultOfError(
    requirement,
    consequenceError(cause, `something in front of the service answered ${kindOf(last)}`),
  )
}

/** Routes on which the same answer is no accident of one of them. */
const severalRoutes = 3

/** The action of a gateway, in words, by the status of its answer. */
const doing: Readonly<Record<number, string>> = {
  403: 'refuses',
  429: 'limits requests',
  502: 'does not reach it',
  503: 'refuses, or does not reach it',
  504: 'does not wait for it',
}

/** Which state makes the service itself answer with a status. */
const stateOf: Readonly<Record<number, string>> = { 429: 'rate_limit', 503: 'unavailable' }

/**
 * Equal answers of a gateway on several routes in words: `647 of 726 answers are 403 text/html: something in front of
 * the service refuses`. Empty: there are none.
 */
export function describeGatewayAnswers(
  exchanges: readonly Exchange[],
  recorder: Pick<Recorder, 'arranged' | 'sentFor'>,
): string[] {
  const isArranged = (one: Exchange) => {
    const at = recorder.sentFor(one)?.sent.seq ?? 0
    const before = recorder.arranged.findLast(
      ({ state, sent }) => state === stateOf[one.status] && sent.seq < at,
    )
    return before?.action === 'setup'
  }
  const foreign = exchanges.filter((one) => isFromFrontServer(one) && !isArranged(one))
  const alike = [...Map.groupBy(foreign, kindOf)].filter(
    ([, all]) => new Set(all.map(({ operation }) => operation)).size >= severalRoutes,
  )
  const [most] = alike.toSorted(([, a], [, b]) => b.length - a.length)
  if (!most) return []
  const [kind, all] = most
  return [
    `${all.length} of ${exchanges.length} answers are ${kind}: something in front of the service ${doing[all[0]?.status ?? 0]}. What else was not met or not exercised may follow from it.`,
  ]
}
