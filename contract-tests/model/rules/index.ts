/** All rules of the model, causes before consequences. */
import type { Rule } from '../violation.ts'
import { admission } from './admission.ts'
import { answers } from './answers.ts'
import { credits } from './credits.ts'
import { documents } from './documents.ts'
import { isolation, organizations } from './isolation.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notifications, unread } from './notifications.ts'
import { refusals } from './refusals.ts'
import { runs, tasks } from './tasks.ts'

export const rules: readonly Rule[] = [
  ...organizations,
  ...lists,
  ...isolation,
  ...keys,
  ...tasks,
  ...runs,
  ...documents,
  ...notifications,
  ...unread,
  ...credits,
  ...admission,
  ...refusals,
  ...answers,
]
