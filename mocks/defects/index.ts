/** Every defect. */
import { answers } from './answers.ts'
import { authentication } from './authentication.ts'
import { busy } from './busy.ts'
import { credits } from './credits.ts'
import type { Defect } from './defect.ts'
import { documents } from './documents.ts'
import { extended } from './extended.ts'
import { input } from './input.ts'
import { isolation } from './isolation.ts'
import { keyComparison } from './key-comparison.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { noCredits } from './no-credits.ts'
import { notifications } from './notifications.ts'
import { runs } from './runs.ts'
import { shapes } from './shapes.ts'
import { tasks } from './tasks.ts'

export const defects: readonly Defect[] = [
  ...answers,
  ...shapes,
  ...authentication,
  ...keys,
  ...keyComparison,
  ...tasks,
  ...documents,
  ...input,
  ...runs,
  ...notifications,
  ...credits,
  ...busy,
  ...extended,
  ...isolation,
  ...noCredits,
  ...limits,
]
