/** The operations and words of the mock; loaded once. */
import { signal } from '@preact/signals-core'
import type { Scenario, Vocabulary } from '../model/answers.ts'
import { control } from './calls.ts'
import { attempt } from './notices.ts'

/** The vocabulary; undefined: not loaded yet. */
export const vocabulary = signal<Vocabulary | undefined>(undefined)
/** The scenarios; undefined: not loaded yet. */
export const scenarios = signal<readonly Scenario[] | undefined>(undefined)

let asked = false

/** Loads both, on the first call; again after a failure. */
export async function loadVocabulary(): Promise<void> {
  if (asked) return
  asked = true
  asked = await attempt('Load the vocabulary', async () => {
    const [words, list] = await Promise.all([
      control<Vocabulary>('GET /vocabulary'),
      control<{ scenarios: Scenario[] }>('GET /scenarios'),
    ])
    vocabulary.value = words
    scenarios.value = list.scenarios
  })
}
