/** History defects that are drawn: any effect at any trigger that can tell its occasions apart. */

import { effects } from './effects.ts'
import type { HistoryDefect } from './history-defect.ts'
import { mutationOf, type Shown } from './occasion.ts'
import { triggers } from './triggers.ts'

/** A defect that counts how often it has shown. */
interface Generated extends HistoryDefect {
  readonly kind: (typeof triggers)[number]['kind']
  readonly shown: Shown
}

/** Every pair of a trigger and an effect that fit, by its id; each call counts anew. */
export function generated(): ReadonlyMap<string, Generated> {
  const all = triggers.flatMap((trigger) =>
    effects
      .filter((effect) => trigger.fits(effect))
      .map((effect): Generated => {
        const shown = { times: 0 }
        return {
          id: `${effect.id}:${trigger.id}`,
          title: `${effect.says}, ${trigger.says}.`,
          kind: trigger.kind,
          shown,
          mutate: () => mutationOf(trigger, effect, shown),
        }
      }),
  )
  return new Map(all.map((one) => [one.id, one]))
}
