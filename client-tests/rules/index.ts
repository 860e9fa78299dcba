/** All rules for clients, in the order in which reports show them: credits and refusals, runs, errors, answers, requests, endings. */
import type { Rule } from '../rule.ts'
import { eitherShape, extraFields } from './answers.ts'
import { noCredits } from './credits.ts'
import { endsInTime, finishesWork } from './endings.ts'
import { encodedIds } from './ids.ts'
import { pollingPace, pollsFreshStatus, stopsPolling, unknownStatus } from './polling.ts'
import {
  branchesOnErrorCode,
  pausesBetweenRetries,
  respectsRetryAfterDate,
  respectsRetryAfterSeconds,
  retriesLimited,
  stopsAtRefusal,
  unauthorized,
} from './refusals.ts'
import { lostAnswer, paysOnce } from './repeats.ts'
import { declaredBody, jsonBody, keyInHeader, keySecret, noOrganization } from './requests.ts'
import { acceptsBusy, followsRuns, pollsOwnTask } from './runs.ts'

/** Every rule for clients, in the order of reports. */
export const rules: readonly Rule[] = [
  [
    noCredits,
    paysOnce,
    lostAnswer,
    respectsRetryAfterSeconds,
    respectsRetryAfterDate,
    retriesLimited,
    pausesBetweenRetries,
  ],
  [acceptsBusy, pollsOwnTask, pollsFreshStatus, unknownStatus, stopsPolling, pollingPace, followsRuns],
  [branchesOnErrorCode, stopsAtRefusal, unauthorized],
  [eitherShape, extraFields],
  [keyInHeader, keySecret, noOrganization, jsonBody, declaredBody, encodedIds],
  [endsInTime, finishesWork],
].flat()
