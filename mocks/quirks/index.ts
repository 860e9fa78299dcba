/** Every quirk, in the order in which they apply. Strict-client mode draws from them; the proof tries each. */
import { errorQuirks } from './errors.ts'
import { responseFormats } from './formats.ts'
import { ids } from './ids.ts'
import { lists } from './lists.ts'
import type { Quirk } from './quirk.ts'
import { runs } from './runs.ts'
import { statuses } from './statuses.ts'
import { timestamps } from './times.ts'
import { values } from './values.ts'
import { variantQuirks } from './variants.ts'

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
