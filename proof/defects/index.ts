/** Every defect. */
import { answers } from './answers.ts'
import { authentication } from './authentication.ts'
import { busy } from './busy.ts'
import { caches } from './caches.ts'
import { credits } from './credits.ts'
import type { Defect } from './defect.ts'
import { documents } from './documents.ts'
import { extended } from './extended.ts'
import { input } from './input.ts'
import { isolation } from './isolation.ts'
import { keyComparison } from './key-comparison.ts'
import { keyLife } from './key-life.ts'
import { keyPlaces } from './key-places.ts'
import { keys } from './keys.ts'
import { knownThings } from './known-things.ts'
import { lateEffects } from './late-effects.ts'
import { lateRuns } from './late-runs.ts'
import { limits } from './limits.ts'
import { lists } from './lists.ts'
import { noCredits } from './no-credits.ts'
import { notifications } from './notifications.ts'
import { oddIds } from './odd-ids.ts'
import { oddInput } from './odd-input.ts'
import { refusedRuns } from './refused-runs.ts'
import { leftovers } from './rejected-creates.ts'
import { reuse } from './reuse.ts'
import { runCosts } from './run-costs.ts'
import { runs } from './runs.ts'
import { shapes } from './shapes.ts'
import { tasks } from './tasks.ts'
import { wholeLife } from './whole-life.ts'

export const defects: readonly Defect[] = [
  ...answers,
  ...shapes,
  ...authentication,
  ...keys,
  ...keyComparison,
  ...keyPlaces,
  ...keyLife,
  ...caches,
  ...tasks,
  ...documents,
  ...lists,
  ...lateEffects,
  ...oddIds,
  ...oddInput,
  ...input,
  ...leftovers,
  ...runs,
  ...runCosts,
  ...notifications,
  ...credits,
  ...busy,
  ...extended,
  ...isolation,
  ...noCredits,
  ...limits,
  ...refusedRuns,
  ...lateRuns,
  ...reuse,
  ...wholeLife,
  ...knownThings,
]
