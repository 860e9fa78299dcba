/** History defects that are drawn: any effect at any trigger that can tell its occasions apart. */

import type { NamedMutation } from '../mutations/mutation.ts'
import { combinableEffects } from './effects.ts'
import { mutationFor, type ShownCount } from './occasion.ts'
import { triggers } from './triggers.ts'

/** A defect that counts how often it has shown. */
interface Generated extends HistoryDefect {
  readonly kind: (typeof triggers)[number]['kind']
  readonly shown: ShownCount
}

/** Every pair of a trigger and an effect that fit, as a defect, by its id; each call starts new counts. */
export function generateHistoryDefects(): ReadonlyMap<string, Generated> {
  const all = triggers.flatMap((trigger) =>
    combinableEffects
      .filter((effect) => trigger.fits?.(effect) ?? true)
      .map((effect): Generated => {
        const shown = { times: 0 }
        return {
          id: `${effect.id}:${trigger.id}`,
          title: `${effect.says}, ${trigger.says}.`,
          kind: trigger.kind,
          shown,
          mutate: () => mutationFor(trigger, effect, shown),
        }
      }),
  )
  return new Map(all.map((one) => [one.id, one]))
}

/**
 * The kinds of history defects (defects that show only after certain events), each with what decides whether such a
 * defect shows, in words.
 */
export const historyDefectKindTexts = {
  often: 'how often it happened before',
  many: 'how many there are',
  between: 'what was done in between',
  'at once': 'what happens at once',
  'long ago': 'how long ago it was',
  whom: 'by whom it is done',
} as const

/** A defect that shows only after certain events. */
export interface HistoryDefect extends NamedMutation {
  /**
   * Patterns of the requirements that a run without the search finds violated, mostly because the model watches it;
   * undefined: none.
   */
  readonly plainRun?: readonly string[] | undefined
}
