/** The catalogue: every requirement, in the order in which reports show them. */

import type { Requirement } from '../requirement.ts'
import { answers } from './answers.ts'
import { authentication } from './authentication.ts'
import { busy } from './busy.ts'
import { credentials } from './credentials.ts'
import { credits } from './credits.ts'
import { documentAnswers } from './document-answers.ts'
import { documents } from './documents.ts'
import { extended } from './extended.ts'
import { input } from './input.ts'
import { isolation } from './isolation.ts'
import { keys } from './keys.ts'
import { limitReach } from './limit-reach.ts'
import { limits } from './limits.ts'
import { noCredits } from './no-credits.ts'
import { notifications } from './notifications.ts'
import { runs } from './runs.ts'
import { tasks } from './tasks.ts'
import { unknown } from './unknown.ts'

export const catalogue: readonly Requirement[] = [
  ...answers,
  ...authentication,
  ...credentials,
  ...keys,
  ...tasks,
  ...documents,
  ...documentAnswers,
  ...input,
  ...notifications,
  ...unknown,
  ...credits,
  ...runs,
  ...busy,
  ...extended,
  ...isolation,
  ...noCredits,
  ...limits,
  ...limitReach,
]
