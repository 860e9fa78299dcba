/** §5.3, §7.2, §7.3, §8.1: rate limits for each key, temporary unavailability, and refusals without effect. */

import type { OperationId } from '#contract/operation.ts'
import {
  briefAnswer,
  type Exchange,
  hasSuccessStatus,
  isRunAccepted,
  valueAtPath,
} from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { NotExercised, ProviderStateError, Violation } from '../client/check-errors.ts'
import { readTask } from '../fixtures/awaited-runs.ts'
import { assumeOneCredit, withBalancesAround } from '../fixtures/credits.ts'
import {
  assumeKeyUnusedByOthers,
  assumeRateLimited,
  maxPaidRequestsToLimit,
  maxRequestsToLimit,
  provokeRateLimit,
  responsesWhileLimited,
  unrelatedLimitError,
  wasLimitedBeforeStates,
} from '../fixtures/limits.ts'
import { areNotificationsMarkedByOthers } from '../fixtures/notifications.ts'
import { assumeOutageEnded, outageWithoutEffectError, responsesDuringOutage } from '../fixtures/outages.ts'
import {
  balancesAroundRefusedGeneration,
  expectNothingRan,
  observeAfterRefusedRun,
  prepareRunWhenIdle,
  readListAfterRefusals,
  waitAfterRefusals,
  waitForRunIfAccepted,
} from '../fixtures/refusals.ts'
import { expectTaskStatusKept, notificationsMarkedByOthersError } from '../fixtures/refused-runs.ts'
import { assumeRouteOffered } from '../fixtures/resources.ts'
import { ordinaryRun } from '../fixtures/runs.ts'
import { expectServedBelowLimit, whoamiAfterRetryAfter } from '../fixtures/short-limits.ts'
import { expectSpent } from '../fixtures/spending.ts'
import { unknownKeyLike } from '../fixtures/unauthorized.ts'
import { assumePositiveControl } from '../fixtures/valid-requests.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import {
  assumePresent,
  assumeRefused,
  documentedRefusals,
  expectAccepted,
  expectEachRefused,
  expectRefused,
  findItem,
} from '../harness/expect.ts'
import {
  freeKeyAuthorizedOperations,
  ruleAnchorOfOperation,
  traitsOfOperation,
} from '../harness/operations.ts'
import { type CheckTraits, must, type Requirement, should } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { documentKindDefinition, taskKindDefinition } from './resource-kinds.ts'

const exclusive = { exclusive: true } as const
/**
 * Options of a check that needs a 429: it runs alone, and only if a provider state or many requests may provoke a 429.
 */
export const rateLimitedCheckTraits = {
  exclusive: true,
  obstacle: ({ statesUrl, probeRateLimit }) =>
    statesUrl || probeRateLimit > 0
      ? undefined
      : 'it needs a 429; supply the state "rate_limit" at the states URL, or --probe-rate-limit N',
} as const satisfies CheckTraits
const outages = { ...exclusive, needs: ['state:unavailable'] } as const
const limited = { ...exclusive, needs: ['state:rate_limit'] } as const
const paid = { retryOnViolation: true, cost: 1 } as const

const limitRules = ['limits-everywhere', 'status-429', 'rate-limit'] as const

const isLimited = (operation: OperationId): Requirement => {
  const free = freeKeyAuthorizedOperations.find((one) => one === operation)
  const times = free ? maxRequestsToLimit : maxPaidRequestsToLimit
  const { writes, needs } = traitsOfOperation(operation)
  return must(`LIMIT-${operation}` as RequirementId, '§8.1', operation, {
    ...limited,
    writes,
    cost: free ? 0 : times,
    needs: [...limited.needs, ...needs],
  })
    .tests(...limitRules, ruleAnchorOfOperation(operation))
    .states(`${operation} is rate-limited: it returns 429 once the key has exceeded its limit.`)
    .experiment('condition', async (t) => {
      if (free) await assumePositiveControl(t, free)
      const { answers, created, passed } = await responsesWhileLimited(t)
      const last = assumePresent(answers.get(operation), `a valid ${operation} beyond the limit`)
      if (last.status === 429) {
        const isMissed = operation === 'whoami' && created !== undefined && hasSuccessStatus(created)
        if (isMissed)
          throw new Violation(
            `429 to a created key, too, by request ${maxRequestsToLimit}`,
            briefAnswer(created),
            last,
            created,
          )
        return
      }
      assumeRouteOffered(t, last)
      if (!isRunAccepted(last) && !free)
        throw new NotExercised(`${operation} was not accepted (${briefAnswer(last)})`, undefined, last)
      if (!isRunAccepted(last) && hasSuccessStatus(await t.call('whoami')))
        throw new Violation('429 rate_limited', briefAnswer(last), last)
      if (![...answers.values()].some(({ status }) => status === 429))
        throw new ProviderStateError('the state "rate_limit" limits nothing')
      // Routes may be counted apart, and roughly.
      if (!free && passed >= times)
        throw new NotExercised(
          `a limit of 1 lets ${passed} requests pass, and no more than ${times} paid ones are tried`,
        )
      const violation = new Violation(`429 by request ${times}, with a limit of 1`, briefAnswer(last), last)
      throw free ? violation : violation.asTentative()
    })
}

/** Requires another key not to be limited while the main one is. */
async function expectNotLimited(t: TestContext, key: 'otherKey' | 'sameOrganization'): Promise<void> {
  const seen = await responsesWhileLimited(t)
  assumeRateLimited(seen.limited)
  const answer = assumePresent(seen[key], 'another key that works')
  if (answer.status === 429 && wasLimitedBeforeStates(t)) throw unrelatedLimitError()
  expectUnlimited(answer, briefAnswer(answer), seen.limited)
}

/** Requires an answer not to be a 429. */
function expectUnlimited(answer: Exchange, actual: string, limited: Exchange): void {
  // Another limit may have been met beside other checks.
  if (answer.status === 429) throw new Violation('any status but 429', actual, limited, answer).asTentative()
}

/** Continues only with a request that was refused with a status. */
function assumeStatus(exchange: Exchange | undefined, status: number, what: string): Exchange {
  const seen = assumePresent(exchange, `${what} that is accepted otherwise`)
  if (seen.status === status) return seen
  throw new NotExercised(`${what} was not refused with ${status} (${briefAnswer(seen)})`, undefined, seen)
}

const pages = { list: 'listLandingPages', all: {} } as const
const notifications = { list: 'listNotifications', all: {} } as const

/** Requirements that requests refused by a limit or an outage have no effect that a list shows. */
const noEffect = (
  [
    ['TASK', 'createTask', taskKindDefinition, 'A task', 'is not created'],
    ['DOCUMENT', 'createDocument', documentKindDefinition, 'A document', 'is not created'],
    ['LANDING-PAGE', 'createLandingPage', pages, 'A landing page that is', 'is not created'],
    ['MARKING', 'readNotification', notifications, 'The marking of a notification that is', 'marks nothing'],
  ] as const
).flatMap(([id, operation, lists, what, effect]) => {
  const traits = { writes: true, retryOnViolation: true } as const
  const explained = id === 'MARKING' ? (['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'] as const) : []
  const listed = async (t: TestContext, answer: Exchange | undefined, status: 429 | 503) => {
    const exchange = assumePresent(answer, `a valid ${operation}`)
    assumeRouteOffered(t, exchange)
    const shown = await readListAfterRefusals(t, lists, assumeStatus(exchange, status, operation))
    const isRead = valueAtPath(findItem(shown, decodedPathId(exchange) ?? ''), 'read') === true
    if (isRead && (await areNotificationsMarkedByOthers(t))) throw notificationsMarkedByOthersError()
    return [shown]
  }
  return [
    must(`LIMIT-REFUSED-${id}`, '§7, §8.1', operation, { ...limited, ...traits })
      .tests('error-rate-limited', ...limitRules)
      .explains(...explained)
      .states(`${what} rejected with 429 ${effect}.`)
      .judged(async (t) => listed(t, (await responsesWhileLimited(t)).answers.get(operation), 429)),

    must(`UNAVAILABLE-${id}`, '§7', operation, { ...outages, ...traits })
      .tests('error-unavailable')
      .explains(...explained)
      .states(`${what} rejected with 503 ${effect}.`)
      .judged(async (t) => {
        const { answers } = await responsesDuringOutage(t)
        const answer = answers.find((one) => one.operation === operation)
        return listed(t, answer, 503)
      }),
  ]
})

/** Requirements that generations refused by a limit or an outage cost nothing. */
const refusedCreatives = (
  [
    [
      'LIMIT-REFUSED-CREATIVE',
      '§7, §8.1',
      'rate_limit',
      429,
      responsesWhileLimited,
      ['error-rate-limited', ...limitRules],
    ],
    ['UNAVAILABLE-CREATIVE', '§7', 'unavailable', 503, responsesDuringOutage, ['error-unavailable']],
  ] as const
).map(([id, section, state, status, look, rules]) =>
  must(id, section, 'generateCreative', { ...paid, needs: [`state:${state}`] })
    .tests(...rules)
    .states(`A generation rejected with ${status} costs nothing.`)
    .experiment('balance', async (t) => {
      const creative = assumePresent((await look(t)).creative, 'the generation that is accepted otherwise')
      assumeRouteOffered(t, creative.answer)
      assumeStatus(creative.answer, status, 'the generation')
      const balance = await balancesAroundRefusedGeneration(t, creative)
      await expectSpent(t, 0, balance, 'by the refused generation', creative.answer)
    }),
)

/** Requirements on rate limits (429) and outages (503). */
export const limitRequirements: Requirement[] = [
  ...freeKeyAuthorizedOperations.map(isLimited),

  must('LIMIT-CODE', '§7, §8.1', null, rateLimitedCheckTraits)
    .tests('limits-everywhere', 'error-rate-limited', 'status-429', 'rate-limit')
    .states('Exceeding the limit returns the error code rate_limited.')
    .experiment('condition', async (t) =>
      expectEachRefused([await provokeRateLimit(t)], documentedRefusals.rateLimited),
    ),

  must('LIMIT-WAITED-OUT', '§7.2', null, { ...rateLimitedCheckTraits, retryOnViolation: true })
    .tests('limits-everywhere', 'status-429', 'after-429', 'rate-limit')
    .states('After the wait given in Retry-After, the same request is no longer limited.')
    .experiment('waiting', async (t) => {
      const { limited, answer, waited } = await whoamiAfterRetryAfter(t)
      if (answer.status === 429 && t.run.exclusive) await assumeKeyUnusedByOthers(t, waited)
      const actual = `${briefAnswer(answer)} after ${waited / 1_000} s`
      expectUnlimited(answer, actual, limited)
    }),

  must('LIMIT-NOT-BEFORE', '§8.1', null, { ...limited, retryOnViolation: true, writes: true })
    .tests('limits-everywhere', 'status-429', 'error-rate-limited', 'rate-limit')
    .states(
      'A key is refused only for more requests than its limit: each counts once, and a window ends while requests go on.',
    )
    .experiment('condition', async (t) => {
      await expectServedBelowLimit(t)
      assumeRateLimited((await responsesWhileLimited(t)).limited)
    }),

  must('LIMIT-OTHER-KEY', '§8.1', null, { ...limited, retryOnViolation: true, writes: true })
    .tests('limits-everywhere', 'status-429', 'rate-limit')
    .states('Exceeding the limit of one key does not limit any other key.')
    .experiment('condition', (t) => expectNotLimited(t, 'otherKey')),

  must('UNAVAILABLE-CODE', '§7', null, outages)
    .tests('error-unavailable')
    .states('Key routes return 503 unavailable while the service is unavailable.')
    .experiment('condition', async (t) => {
      const { answers } = await responsesDuringOutage(t)
      if (answers.every(hasSuccessStatus)) throw outageWithoutEffectError()
      expectEachRefused(answers, documentedRefusals.unavailable)
    }),

  must('UNAVAILABLE-OVER', '§7.3', null, outages)
    .tests('error-unavailable', 'after-503')
    .explainsSameStatus('LIMIT-*', 'ODD-ACCEPT-whoami')
    .states('Requests succeed again after an outage.')
    .experiment('condition', async (t) => {
      await responsesDuringOutage(t)
      const whoami = await t.call('whoami')
      if (whoami.status === 503) await assumeOutageEnded(t)
      expectAccepted(whoami)
    }),

  should('UNAVAILABLE-UNARRANGED', '§7', null)
    .tests('error-unavailable')
    .states('No valid request is answered 503 unavailable unless an outage was arranged.')
    .seen('valid request'),

  isLimited('runTask'),
  isLimited('generateCreative'),

  must('LIMIT-SAME-ORGANIZATION', '§8.1', null, {
    ...limited,
    retryOnViolation: true,
    writes: true,
    needs: ['session', 'state:rate_limit'],
  })
    .tests('limits-everywhere', 'status-429', 'rate-limit')
    .states('Exceeding the limit of one key does not limit another key of the same organization.')
    .experiment('condition', (t) => expectNotLimited(t, 'sameOrganization')),

  must('LIMIT-REFUSED-RUN', '§7, §8.1', 'runTask', { ...paid, needs: ['state:rate_limit'] })
    .tests('limits-everywhere', 'error-rate-limited', 'status-429', 'rate-limit')
    .states('A run rejected with 429 does not start and costs nothing.')
    .experiment('absence', async (t) => {
      const { run } = await responsesWhileLimited(t)
      assumeStatus(run?.answer, 429, 'the run')
      if (run) await expectNothingRan(t, await observeAfterRefusedRun(t, run.ready, run.answer))
    }),

  must('AUTH-REFUSED-RUN', '§5.3', 'runTask', paid)
    .tests('unauthorized-first', 'error-unauthorized')
    .states('A run rejected with 401 does not start and costs nothing.')
    .experiment('absence', async (t) => {
      const stranger = t.as('stranger', bearerHeader(unknownKeyLike(t.settings.apiKey)))
      const { id, task: before } = await prepareRunWhenIdle(t, () => assumeOneCredit(t))
      const { made: answers, ...balance } = await withBalancesAround(t, async () => {
        const made = await Promise.all([t.nobody, stranger].map((client) => client.call('runTask', { id })))
        for (const exchange of made) await waitForRunIfAccepted(t, id, exchange)
        await waitAfterRefusals(t, ...made)
        return made
      })
      const refused = answers.filter(({ status }) => status === 401)
      // One may be refused because of the run that the other one has started.
      const isJudged = refused.length > 0 && !answers.some(isRunAccepted)
      for (const exchange of isJudged ? refused : answers)
        assumeRefused(exchange, documentedRefusals.unauthorized)
      const after = await readTask(t, id)
      await expectTaskStatusKept(t, before, after, ...answers)
      await expectSpent(t, 0, balance, 'by the refused runs', ...answers)
    }),

  ...noEffect,
  ...refusedCreatives,

  must('UNAVAILABLE-RUN', '§7', 'runTask', { ...paid, sharedCredits: 1, needs: ['state:unavailable'] })
    .tests('error-unavailable')
    .states(
      'While the service is unavailable, a run returns 503 unavailable, does not start and costs nothing.',
    )
    .experiment('absence', async (t) => {
      const { ready, refused } = await responsesDuringOutage(t)
      const exchange = assumePresent(refused, 'a task that is ready to be run')
      if (isRunAccepted(exchange)) {
        const whoami = await t.during('unavailable', {}, () => t.call('whoami', { takes: [503] }))
        if (whoami.status !== 503) throw outageWithoutEffectError()
        throw new Violation('503 unavailable', briefAnswer(exchange), exchange)
      }
      if (exchange.status !== 503) await ordinaryRun(t)
      expectRefused(exchange, documentedRefusals.unavailable)
      if (ready) await expectNothingRan(t, await observeAfterRefusedRun(t, ready, exchange))
    }),
]
