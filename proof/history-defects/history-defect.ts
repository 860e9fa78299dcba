/** A violation that only a history shows: no single question does, however it is asked. */
import type { Mutation } from '../mutations/mutation.ts'

/** What a history must contain for a defect to show. */
export const historyKinds = {
  often: 'how often it happened before',
  many: 'how many there are',
  between: 'what was done in between',
  'at once': 'what happens at once',
  'long ago': 'how long ago it was',
  whom: 'by whom it is done',
} as const

export interface HistoryDefect {
  /** Stable, unique, kebab-case. */
  readonly id: string
  /** What the service does wrong, in the present tense. */
  readonly title: string
  /**
   * Patterns of the requirements that a run without the search finds violated, mostly because the model watches it;
   * undefined: none.
   */
  readonly plainRun?: readonly string[] | undefined
  /** The change; a new one for each mock. */
  mutate(): Mutation
}
