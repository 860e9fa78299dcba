/** Seeded random values: the only source of randomness and ids in the mock. */
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomState } from './state.ts'

/** A random stream that is reproducible for the same seed and scope. */
export interface SeededRandom {
  /** Returns the next integer, 0 to 2^32 - 1. */
  word(): number
  /** Returns the next number, 0 (inclusive) to 1 (exclusive). */
  fraction(): number
  /** Returns the next identifier: the prefix, an underscore and 16 characters. */
  id(prefix: string): string
  /** Returns the position of the stream. */
  dump(): RandomState
  /** Continues from a saved position. */
  restore(state: RandomState): void
  /** How many words were drawn. */
  readonly drawn: number
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates a random stream for a seed and further scopes. Streams of different scopes are independent. */
export function createRandom(...scope: string[]): SeededRandom {
  const text = scope.join('\u0000')
  let generator = xoroshiro128plusFromState([1, 2, 3, 4].map((salt) => hash(text, salt)))
  let drawn = 0
  const word = () => {
    drawn++
    return generator.next() >>> 0
  }
  const letters = (bits: number, length: number) => {
    let out = ''
    for (let left = bits, i = 0; i < length; i++, left >>>= 5) out += alphabet[left & 31]
    return out
  }
  return {
    word,
    fraction: () => word() / 0x1_0000_0000,
    id: (prefix) => `${prefix}_${letters(word(), 6)}${letters(word(), 6)}${letters(word(), 4)}`,
    dump() {
      const [a = 0, b = 0, c = 0, d = 0] = generator.getState()
      return [a, b, c, d]
    },
    restore(state) {
      generator = xoroshiro128plusFromState(state)
    },
    get drawn() {
      return drawn
    },
  }
}

/** Returns a stream that reports how many words each call draws. */
export function reporting(random: SeededRandom, drew: (words: number) => void): SeededRandom {
  const reported = <Result>(draw: () => Result): Result => {
    const before = random.drawn
    const result = draw()
    drew(random.drawn - before)
    return result
  }
  return {
    word: () => reported(random.word),
    fraction: () => reported(random.fraction),
    id: (prefix) => reported(() => random.id(prefix)),
    dump: random.dump,
    restore: random.restore,
    get drawn() {
      return random.drawn
    },
  }
}

/** Returns the position that a stream had before it drew so many words: xoroshiro128+ backwards. */
export function rewound(state: RandomState, words: number): RandomState {
  const join = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  const left = (n: bigint, by: bigint) => BigInt.asUintN(64, n << by)
  const right = (n: bigint, by: bigint) => (n >> by) | left(n, 64n - by)
  let [first, second] = [join(state[0], state[1]), join(state[2], state[3])]
  for (let step = 0; step < words; step++) {
    const mixed = right(second, 37n)
    first = right(first ^ mixed ^ left(mixed, 16n), 24n)
    second = mixed ^ first
  }
  const halves = (n: bigint) => [Number(n >> 32n) | 0, Number(n & 0xffff_ffffn) | 0] as const
  return [...halves(first), ...halves(second)]
}

/** FNV-1a with a salt and a final mix: hashes a text to 32 bits. */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0
}
