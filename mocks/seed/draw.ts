/** What a seeded past is drawn with: words of `words.json` (`npm run words`) and numbers, from a stream of chance. */
import type { SeededRandom } from '../core/random.ts'
import words from './names.json' with { type: 'json' }

export type Draw = ReturnType<typeof createDraw>

/** Draws from a stream of the seeded world. */
export function createDraw(random: SeededRandom) {
  /** A whole number, both bounds included. */
  const whole = (min: number, max: number) => min + (random.word() % (max - min + 1))
  const pick = <T>(choices: readonly T[]) => choices[whole(0, choices.length - 1)] as T
  return {
    whole,
    pick,
    /** So many of them, each at most once, in any order. */
    some<T>(choices: readonly T[], count: number): T[] {
      const left = [...choices]
      return Array.from({ length: count }, () => left.splice(whole(0, left.length - 1), 1)).flat()
    },
    /** So many decimal digits. */
    digits: (length: number) => Array.from({ length }, () => whole(0, 9)).join(''),
    company: () => pick(companyForms)(() => pick(words.lastNames)),
    firstName: () => pick(words.firstNames),
    lastName: () => pick(words.lastNames),
    product: () => pick(words.products),
    department: () => pick(words.departments),
    motto: () => pick(words.mottos),
  }
}

const companyForms: readonly ((name: () => string) => string)[] = [
  (name) => `${name()} Group`,
  (name) => `${name()} and Sons`,
  (name) => `${name()} & ${name()}`,
  (name) => `${name()}, ${name()} and ${name()}`,
]
