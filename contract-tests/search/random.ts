/** Choices by seed, and texts that are drawn so: the same seed gives the same. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export type Random = ReturnType<typeof createRandom>

/** A source of choices. */
export function createRandom(seed: number) {
  const generator = xoroshiro128plus(seed)
  const fraction = () => (generator.next() >>> 0) / 0x1_0000_0000
  /** A whole number from 0 to `limit` - 1. */
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    below,
    /** True with a chance of 0 to 1. */
    chance: (of: number) => fraction() < of,
    /** One of several; undefined: there is none. */
    pick: <T>(from: readonly T[]): T | undefined => from[below(from.length)],
    /** One of several, by weight; undefined: none has a weight above 0. */
    weigh<T>(from: readonly T[], weightOf: (one: T) => number): T | undefined {
      let left = fraction() * from.reduce((sum, one) => sum + weightOf(one), 0)
      return from.find((one) => {
        left -= weightOf(one)
        return left < 0
      })
    },
  }
}

const odd = [
  'Grüße — 你好 — 🚀 🧑‍🚀',
  'one\n\ntwo\r\nthree\ttabbed',
  '"quoted" \\ back\\slash /slash/ %20 + & = ?',
  '<b>bold</b> <script>alert(1)</script> &amp; {{template}} $(shell)',
  "Robert'); DROP TABLE tasks;--",
  'e\u0301 versus \u00e9, \u202eright to left\u202c, zero\u200bwidth',
  'null',
  '0',
  'true',
  '{"text":"json"}',
  '  inner   runs   of   spaces  ',
]

/** A text with the mark of its case; most are ordinary. */
export function drawText(random: Random, what: string): string {
  const number = random.below(1_000_000)
  if (random.chance(0.75)) return `${what} ${number} {tag}`
  if (random.chance(0.2)) return `${what} ${number} {tag} ${'long text '.repeat(10 + random.below(300))}end`
  return `${what} ${number} {tag} ${random.pick(odd)} end`
}

/** A short name, or now and then one as long as a text. */
export function drawName(random: Random, what: string): string {
  const text = drawText(random, what)
  return random.chance(0.5) ? text : text.slice(0, 150)
}

const alterations: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replaceAll(' ', '_'),
  (text) => text.replace(/\d+/, '%'),
]

/** Another name that comparisons without case, or with wildcards, take for the same. */
export function lookalike(random: Random, name: string): string {
  const altered = random.pick(alterations) ?? String
  return name.split('{tag}').map(altered).join('{tag}')
}

/** A body that cannot be accepted as written. */
export function drawBadBody(random: Random, member: string): unknown {
  return random.pick<unknown>([
    '{',
    '[]',
    '""',
    '{}',
    { [member]: '' },
    { [member]: 7 },
    { [member]: null },
    { [member]: [`${member} {tag}`] },
    { [`${member}s`]: `${member} {tag}` },
  ])
}
