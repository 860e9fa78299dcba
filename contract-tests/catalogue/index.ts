/** The catalogue: every requirement, in the order of the reports. */

import type { Requirement } from '../harness/requirement.ts'
import { answers, consistentAnswers } from './answers.ts'
import { atOnce } from './at-once.ts'
import { authentication, credentials, keyPlaces } from './authentication.ts'
import { busy } from './busy.ts'
import { credits } from './credits.ts'
import { documentAnswers, documents } from './documents.ts'
import { creatives, extended } from './extended.ts'
import { input, mediaTypes, oddInput, rejectedCreateEffects } from './input.ts'
import { isolation, keyIsolation } from './isolation.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { noCredits } from './no-credits.ts'
import { notifications } from './notifications.ts'
import { missingResources, oddIdRefusals } from './odd-ids.ts'
import { intermediaries } from './path.ts'
import { runCosts } from './run-costs.ts'
import { runs } from './runs.ts'
import { tasks } from './tasks.ts'
import { endOfRun, wholeRun } from './whole-run.ts'

/** Every requirement, in the order of reports. */
export const catalogue: readonly Requirement[] = [
  ...answers,
  ...authentication,
  ...credentials,
  ...keyPlaces,
  ...keys,
  ...tasks,
  ...documents,
  ...documentAnswers,
  ...oddIdRefusals,
  ...input,
  ...rejectedCreateEffects,
  ...notifications,
  ...missingResources,
  ...credits,
  ...runs,
  ...runCosts,
  ...busy,
  ...extended,
  ...creatives,
  ...isolation,
  ...keyIsolation,
  ...noCredits,
  ...atOnce,
  ...limits,
  ...endOfRun,
  ...wholeRun,
  ...intermediaries,
  ...consistentAnswers,
  ...mediaTypes,
  ...oddInput,
]
