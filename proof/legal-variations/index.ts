/** Every legitimate variation, from those next to the mock to those next to the client. */
import { answers } from './answers.ts'
import { errors } from './errors.ts'
import { extended } from './extended.ts'
import { ids } from './ids.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { listing } from './lists.ts'
import { runs } from './runs.ts'
import { surroundings } from './surroundings.ts'
import { variants } from './variants.ts'
import type { Variation } from './variation.ts'
import { wire } from './wire.ts'

export const variations: readonly Variation[] = [
  ...variants,
  ...runs,
  ...limits,
  ...extended,
  ...keys,
  ...listing,
  ...answers,
  ...errors,
  ...surroundings,
  ...ids,
  ...wire,
]
