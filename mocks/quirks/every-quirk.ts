/** As many quirks as one answer can have, for an organization that has none otherwise. */
import type { Variant } from '#contract/route.ts'
import { createQuirks } from './create.ts'
import { quirks as table } from './index.ts'
import type { Quirks } from './quirks.ts'
import { values } from './values.ts'

/** Of each group the last one; quirks that change more than one answer are left out. */
const ids = [
  ...new Map(
    [...values.filter(({ looseCredits }) => looseCredits === undefined), ...table]
      .filter((quirk) => quirk.scope === 'answer' || values.includes(quirk))
      .map(({ id, group = id }) => [group, id]),
  ).values(),
]

/** The quirks of an answer that has every quirk which fits, in the usual variant of the mock. */
export function everyQuirk(variant: Variant): Quirks | undefined {
  return createQuirks({ strictClient: ids.join(','), variant }, 'every quirk')
}
