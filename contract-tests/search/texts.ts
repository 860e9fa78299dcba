/** Texts that a service must keep: ordinary, odd and extreme ones. */
import type { Random } from './random.ts'

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
