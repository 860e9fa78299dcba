/**
 * §4, §7: ids that the service has not issued (similar to its own, unusual or malformed), and that of a deleted key.
 */

import type { OperationId } from '#contract/operation.ts'
import { isFromFrontServer } from '../../client/recorder.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import { effectInterval, hasEndedBefore } from '../matching.ts'
import { allowRefusalOrSuccess, documentedRefusals, isAllowedRefusal, judgeRefusal } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import { emptyOrganization, type KnownOrganization } from '../state.ts'
import { declareModelRule, type ModelRule, type RuleJudgement } from '../violation.ts'
import { mayBeFrontServerRefusal } from './answers.ts'

/** Operations with an id: the prefix of their requirements, and whether they may succeed without effect. */
const byId = [
  ['TASK', 'getTask', false],
  ['DOC', 'getDocument', false],
  ['RUN', 'runTask', false],
  ['NOTIFICATION', 'readNotification', true],
  ['KEY', 'deleteKey', true],
] as const satisfies readonly (readonly [prefix: string, OperationId, isEasy: boolean])[]

/** True for an id that services decode in different ways, so that it may name something that exists. */
const isMalformed = ({ oddity, invented, resource = '' }: AnsweredRequest): boolean =>
  oddity === 'malformed-id' || (invented === 'odd' && /[\n/%]/.test(resource))

/** Judges the answer to an id that does not exist. `isEasy`: it may be a success without effect. */
function judgeUnknown({ tasks }: KnownOrganization, event: AnsweredRequest, isEasy: boolean): RuleJudgement {
  const { operation, resource = '', invented, answer } = event
  if (isFromFrontServer(answer)) return undefined
  // A server in front of the API may refuse such an id in its own words.
  if (mayBeFrontServerRefusal(event)) return true
  if (operation === 'runTask' && isAllowedRefusal(answer, documentedRefusals.noCredits)) return undefined
  // The malformed or unusual id may happen to name something that exists.
  if (isSuccess(answer) && (!invented || tasks.get(resource)?.created)) return undefined
  const allowed = isEasy
    ? allowRefusalOrSuccess(documentedRefusals.notFoundOrBadInput)
    : invented === 'alike'
      ? documentedRefusals.notFound
      : documentedRefusals.notFoundOrBadInput
  return judgeRefusal(event, allowed)
}

/**
 * Rules on the answers to requests with an id that belongs to nothing: unknown, odd, malformed, or of a deleted key.
 */
export const unknownIdRules: readonly ModelRule[] = [
  ...byId.flatMap(([prefix, operation, isEasy]) => [
    declareModelRule(`odd-id-${operation}`, `${prefix}-ODD-ID`, 'odd-input', [operation]).judge(
      (org, event) =>
        event.invented === 'odd' && !isMalformed(event) ? judgeUnknown(org, event, isEasy) : undefined,
    ),
    declareModelRule(
      `malformed-id-${operation}`,
      `MALFORMED-ID-${operation}`,
      'malformed-input',
      [operation],
      {
        audience: 'anybody',
      },
    ).judge((org, event) => (isMalformed(event) ? judgeUnknown(org, event, isEasy) : undefined)),
  ]),
  ...byId.slice(0, 4).map(([prefix, operation, isEasy]) =>
    declareModelRule(
      `unknown-id-${operation}`,
      `${prefix}-UNKNOWN` as RequirementId,
      'status-404',
      [operation],
      // Others may have created it meanwhile.
      { attributableToOthers: true },
    ).judge((org, event) => (event.invented === 'alike' ? judgeUnknown(org, event, isEasy) : undefined)),
  ),
  declareModelRule('deleted-again', 'KEY-DELETE-AGAIN', 'status-404', ['deleteKey']).judge(
    ({ keys }, event) => {
      const key = [...keys.values()].find(({ id }) => id === event.resource)
      if (!key?.deleted || !hasEndedBefore(key.deleted, effectInterval(event))) return undefined
      return isSuccess(event.answer) || judgeUnknown(emptyOrganization, event, true)
    },
  ),
]
