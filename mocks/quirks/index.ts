/** Every quirk, in the order in which they apply. Strict-client mode draws from them; the proof tries each. */

import { ids, lists, statuses, timestamps, values } from './bodies.ts'
import { errorQuirks } from './errors.ts'
import type { Quirk } from './quirk.ts'
import { responseFormats } from './rewrites.ts'
import { runs, variantQuirks } from './runs.ts'

export const quirks: readonly Quirk[] = [
  ...variantQuirks,
  ...runs,
  ...statuses,
  ...values,
  ...timestamps,
  ...lists,
  ...errorQuirks,
  ...responseFormats,
  ...ids,
]
