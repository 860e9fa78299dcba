/** All rules of the model. */
import type { Rule } from '../violation.ts'
import { admission } from './admission.ts'
import { answers } from './answers.ts'
import { credits } from './credits.ts'
import { documents } from './documents.ts'
import { isolation, organizations } from './isolation.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notifications, unreadCounts } from './notifications.ts'
import { oddRequests } from './odd-requests.ts'
import { refusals, unauthorizedRequests } from './refusals.ts'
import { runs, tasks } from './tasks.ts'
import { takenTexts, textEnds } from './texts.ts'
import { unknownIds } from './unknown-ids.ts'

/** Rules on unusual requests, each of which is judged by itself whatever came before. */
export const statelessRules: readonly Rule[] = [
  ...unauthorizedRequests,
  ...oddRequests,
  ...unknownIds,
  ...takenTexts,
]

/** Every rule of the model; a rule whose violation causes others comes before them. */
export const rules: readonly Rule[] = [
  ...organizations,
  ...lists,
  ...isolation,
  ...keys,
  ...tasks,
  ...runs,
  ...textEnds,
  ...documents,
  ...notifications,
  ...unreadCounts,
  ...credits,
  ...admission,
  ...refusals,
  ...statelessRules,
  ...answers,
]
