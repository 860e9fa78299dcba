/** Random streams of the mock, by seed and scope: its only source of randomness and ids. */
import { createRandomUint32Generator, createSamplerFromWords } from '#contract/random.ts'
import { type ChangeHistory, type HistoricalRowReader, readCurrentRow } from './changes.ts'
import type { OrganizationState, RandomState } from './resources.ts'

/** A random number generator that is reproducible for the same seed and scope. */
export type SeededRandom = ReturnType<typeof createRandom>

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates a random generator for a seed and scopes. Generators of different scopes are independent. */
export function createRandom(...scope: string[]) {
  const text = scope.join('\u0000')
  let start: readonly number[] = [1, 2, 3, 4].map((salt) => hash(text, salt))
  let generator = createRandomUint32Generator(start)
  const next = () => generator.next()
  const letters = (bits: number, length: number) => {
    let out = ''
    for (let left = bits, i = 0; i < length; i++, left >>>= 5) out += alphabet[left & 31]
    return out
  }
  const word = (): number => {
    random.drawing?.(1)
    return next()
  }
  const random = {
    /** Called before words are drawn, with their number. */
    drawing: undefined as ((words: number) => void) | undefined,
    /** Returns the next integer, 0 to 2^32 - 1. */
    word,
    ...createSamplerFromWords(word),
    /** Returns the next identifier: the prefix, an underscore and 16 characters. */
    id(prefix: string): string {
      random.drawing?.(3)
      return `${prefix}_${letters(next(), 6)}${letters(next(), 6)}${letters(next(), 4)}`
    },
    /** Returns the state of the generator now, or after `count` words since it began or was restored. */
    dump(count?: number): RandomState {
      const at = count === undefined ? generator : createRandomUint32Generator(start)
      for (let word = 0; word < (count ?? 0); word++) at.next()
      const [a = 0, b = 0, c = 0, d = 0] = at.getState()
      return [a, b, c, d]
    },
    restore(state: RandomState): void {
      start = state
      generator = createRandomUint32Generator(start)
    },
  }
  return random
}

/** FNV-1a with a salt and a final mix: hashes a text to 32 bits. */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0
}

const scopes = ['ids', 'outcomes', 'delays'] as const
type Scope = (typeof scopes)[number]

/** The random generators of an organization: for ids, for outcomes of runs and for delays. */
export type RandomStreams = ReturnType<typeof createRandomStreams>

/** Creates the random generators of an organization, one for each purpose, so that a draw for one affects no other. */
export function createRandomStreams(random: (scope: Scope) => SeededRandom, changes: ChangeHistory) {
  const streams = { ids: random('ids'), outcomes: random('outcomes'), delays: random('delays') }
  /** The number of words that each generator has drawn. */
  const drawn: Record<Scope, { used: number }> = {
    ids: { used: 0 },
    outcomes: { used: 0 },
    delays: { used: 0 },
  }
  for (const scope of scopes) streams[scope].drawing = (words) => changes.count('chance', drawn[scope], words)
  return {
    ...streams,
    dump(was: HistoricalRowReader = readCurrentRow): OrganizationState['chance'] {
      const position = (scope: Scope) => {
        const then = was(drawn[scope])
        return streams[scope].dump(then === drawn[scope] ? undefined : then?.used)
      }
      return { ids: position('ids'), outcomes: position('outcomes'), delays: position('delays') }
    },
    restore(state: OrganizationState['chance']): void {
      for (const scope of scopes) {
        streams[scope].restore(state[scope])
        drawn[scope].used = 0
      }
    },
  }
}

/** Shortens an id to at most eight letters and digits, taken after its prefix if it has one. */
export function shortIdOf(org_id: string): string {
  const from = org_id.indexOf('_') + 1
  return org_id.slice(from, from + 8).replace(/[^a-zA-Z0-9]/g, '')
}
