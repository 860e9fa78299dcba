/** All rules for clients, in the order in which reports show them: credits and refusals, runs, errors, answers, requests, endings. */
import type { ClientRule } from '../rule.ts'
import { toleratesUnknownFieldsRule, toleratesVariantsRule } from './answers.ts'
import { submitsOnceRule, trustsCreationsRule } from './creations.ts'
import { stopsWithoutCreditsRule } from './credits.ts'
import { endsInTimeRule, finishesWorkRule } from './endings.ts'
import { encodesIdsRule } from './ids.ts'
import {
  pausesBetweenPollsRule,
  pollsFreshStatusRule,
  readsFinishedFieldRule,
  stopsPollingRule,
} from './polling.ts'
import {
  branchesOnErrorCodeRule,
  goesOnAfterRateLimitRule,
  noRefusedRepeatRule,
  pausesBetweenRetriesRule,
  respectsRetryAfterDateRule,
  respectsRetryAfterSecondsRule,
  retriesAfterUnavailableRule,
  stopsAfterUnauthorizedRule,
} from './refusals.ts'
import { looksBeforeRepeatingRule, paysOnceRule } from './repeats.ts'
import {
  declaresJsonBodyRule,
  keepsKeySecretRule,
  sendsJsonBodyRule,
  sendsKeyInHeaderRule,
  sendsKnownFieldsRule,
  sendsNoOrganizationRule,
} from './requests.ts'
import { usesKnownRoutesRule } from './routes.ts'
import { doesNotRepeatBusyRule, followsRunsRule, pollsOwnTaskRule } from './runs.ts'
import { runsOwnTasksRule, usesShownIdsRule } from './shown-ids.ts'

/** Every rule for clients, in the order of reports. */
export const clientRules: readonly ClientRule[] = [
  [
    stopsWithoutCreditsRule,
    paysOnceRule,
    looksBeforeRepeatingRule,
    respectsRetryAfterSecondsRule,
    respectsRetryAfterDateRule,
    goesOnAfterRateLimitRule,
    retriesAfterUnavailableRule,
    pausesBetweenRetriesRule,
  ],
  [
    doesNotRepeatBusyRule,
    pollsOwnTaskRule,
    pollsFreshStatusRule,
    readsFinishedFieldRule,
    stopsPollingRule,
    pausesBetweenPollsRule,
    followsRunsRule,
    runsOwnTasksRule,
    trustsCreationsRule,
    submitsOnceRule,
  ],
  [branchesOnErrorCodeRule, noRefusedRepeatRule, stopsAfterUnauthorizedRule],
  [toleratesVariantsRule, toleratesUnknownFieldsRule],
  [
    sendsKeyInHeaderRule,
    keepsKeySecretRule,
    sendsNoOrganizationRule,
    sendsJsonBodyRule,
    declaresJsonBodyRule,
    encodesIdsRule,
    usesKnownRoutesRule,
    usesShownIdsRule,
    sendsKnownFieldsRule,
  ],
  [endsInTimeRule, finishesWorkRule],
].flat()
