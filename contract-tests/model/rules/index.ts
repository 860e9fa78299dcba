/** All rules of the model, causes before consequences. */
import type { Rule } from '../violation.ts'
import { credits } from './credits.ts'
import { documents } from './documents.ts'
import { keys } from './keys.ts'
import { notifications } from './notifications.ts'
import { organizations } from './organizations.ts'
import { runs } from './runs.ts'
import { tasks } from './tasks.ts'

export const rules: readonly Rule[] = [
  ...organizations,
  ...keys,
  ...tasks,
  ...runs,
  ...documents,
  ...notifications,
  ...credits,
]
