/** All rules of the model, causes before consequences. */
import type { Rule } from '../violation.ts'
import { admission } from './admission.ts'
import { credits } from './credits.ts'
import { documents } from './documents.ts'
import { isolation } from './isolation.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notifications } from './notifications.ts'
import { organizations } from './organizations.ts'
import { runs } from './runs.ts'
import { tasks } from './tasks.ts'
import { unread } from './unread.ts'

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
]
