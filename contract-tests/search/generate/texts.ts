/** Texts, names and bodies that the search draws. */
import type { RandomSampler } from '#contract/random.ts'

const oddTexts = [
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

/** A random text with the placeholder `{tag}`, sometimes long or with unusual characters. */
export function drawText(random: RandomSampler, what: string): string {
  const number = random.below(1_000_000)
  if (random.withProbability(0.75)) return `${what} ${number} {tag}`
  if (random.withProbability(0.2))
    return `${what} ${number} {tag} ${'long text '.repeat(10 + random.below(300))}end`
  return `${what} ${number} {tag} ${random.pick(oddTexts)} end`
}

/** A random short name; now and then as long as a text. */
export function drawName(random: RandomSampler, what: string): string {
  const text = drawText(random, what)
  return random.withProbability(0.5) ? text : text.slice(0, 150)
}

const alterations: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replaceAll(' ', '_'),
  (text) => text.replace(/\d+/, '%'),
]

/**
 * A name that differs from a given one, but that a sloppy comparison (of case, wildcards or spaces) takes for the same.
 */
export function drawConfusableName(random: RandomSampler, name: string): string {
  const altered = random.pick(alterations) ?? String
  return name.split('{tag}').map(altered).join('{tag}')
}

/** A random invalid body for an operation. */
export function drawBadBody(random: RandomSampler, member: string): unknown {
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
