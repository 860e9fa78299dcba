/** Every legal variation, from those closest to the mock to those closest to the client: its quirks come first. */
import type { QuirkId } from '#mocks/core/quirk-id.ts'
import { quirkTable } from '#mocks/quirks/create.ts'
import { errorVariations } from './errors.ts'
import { frontServerVariations } from './fronts.ts'
import { lateEffectVariations, rateLimitVariations } from './limits.ts'
import { extendedRouteVariations, resourceVariations } from './resources.ts'
import { runVariations } from './runs.ts'
import { idVariations, stateAndClientVariations, wireVariations } from './surroundings.ts'
import type { Variation } from './variation.ts'

/** Details of quirks that only the proof needs, by id. */
const details: Readonly<Partial<Record<QuirkId, Partial<Variation>>>> = {
  'variants-mixed': { warns: ['VARIANT-CONSISTENT'] },
  // In the second variant, its answer has all fields of both.
  'variants-mixed-createTask': { variant: 'first', warns: ['VARIANT-CONSISTENT'] },
  'variants-mixed-runTask': { warns: ['VARIANT-CONSISTENT'] },
  'lists-late': { warns: ['LIST-PROMPT'] },
  'balance-late': { warns: ['CREDITS-PROMPT'] },
  'header-names': { wire: { path: '' } },
}

const fromQuirks = quirkTable.map(
  ({ id, title, allowed, group = id }): Variation => ({
    id,
    title,
    allowed,
    group,
    ...details[id],
    mutate: () => ({ quirks: [id] }),
  }),
)

/** All legal variations that the proof tries: unusual behaviour that must violate no requirement. */
export const legalVariations: readonly Variation[] = [
  ...fromQuirks,
  ...runVariations,
  ...rateLimitVariations,
  ...lateEffectVariations,
  ...extendedRouteVariations,
  ...resourceVariations,
  ...errorVariations,
  ...stateAndClientVariations,
  ...frontServerVariations,
  ...idVariations,
  ...wireVariations,
]
