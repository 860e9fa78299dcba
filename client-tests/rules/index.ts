/** All rules for clients, in the order in which reports show them: credits and refusals, runs, errors, answers, requests, endings. */
import type { Rule } from '../rule.ts'
import { readsEitherVariant, toleratesUnknownFields } from './answers.ts'
import { stopsWithoutCredits } from './credits.ts'
import { endsInTime, finishesWork } from './endings.ts'
import { encodesIds } from './ids.ts'
import { pausesBetweenPolls, pollsFreshStatus, readsUnknownStatus, stopsPolling } from './polling.ts'
import {
  branchesOnErrorCode,
  limitsRetries,
  pausesBetweenRetries,
  respectsRetryAfterDate,
  respectsRetryAfterSeconds,
  stopsAfterUnauthorized,
  stopsAtRefusal,
} from './refusals.ts'
import { looksAfterLostAnswer, paysOnce } from './repeats.ts'
import {
  declaresJsonBody,
  keepsKeySecret,
  sendsJsonBody,
  sendsKeyInHeader,
  sendsNoOrganization,
} from './requests.ts'
import { followsRuns, pollsOwnTask, waitsWhenBusy } from './runs.ts'

/** Every rule for clients, in the order of reports. */
export const rules: readonly Rule[] = [
  [
    stopsWithoutCredits,
    paysOnce,
    looksAfterLostAnswer,
    respectsRetryAfterSeconds,
    respectsRetryAfterDate,
    limitsRetries,
    pausesBetweenRetries,
  ],
  [
    waitsWhenBusy,
    pollsOwnTask,
    pollsFreshStatus,
    readsUnknownStatus,
    stopsPolling,
    pausesBetweenPolls,
    followsRuns,
  ],
  [branchesOnErrorCode, stopsAtRefusal, stopsAfterUnauthorized],
  [readsEitherVariant, toleratesUnknownFields],
  [sendsKeyInHeader, keepsKeySecret, sendsNoOrganization, sendsJsonBody, declaresJsonBody, encodesIds],
  [endsInTime, finishesWork],
].flat()
