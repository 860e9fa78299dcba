/** Identifiers of other forms: §2 shows none, so they are opaque, and may be numbers. */
import type { SeededRandom } from '../core/random.ts'

/** Makes an identifier of a kind. */
export type IdForm = (random: SeededRandom, kind: string) => string

const hex = (random: SeededRandom) => random.word().toString(16).padStart(8, '0')

const uuid: IdForm = (random) => {
  const [a, b, c, d] = [hex(random), hex(random), hex(random), hex(random)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** 15 digits: a number that JSON and JavaScript carry whole. */
const number: IdForm = (random) =>
  String(1e14 + Math.floor(random.fraction() * 9e13) * 10 + (random.word() % 10))

/** What a client that does not percent-encode stumbles over. */
const odd: IdForm = (random, kind) => `${kind}/é ?&%2F#+;"'${random.id('')}`

const long: IdForm = (random, kind) =>
  `${kind}:${Array.from({ length: 12 }, () => random.id('').slice(1)).join('.')}`

const usual: IdForm = (random, kind) => random.id(kind)

export const idForms = [uuid, number, odd, long, usual] as const

/** Forms for organizations, whose ids stand in addresses of the mock's own. */
export const plainForms = [uuid, number, usual] as const

const fields = new Set(['id', 'taskId', 'runId', 'artifactId', 'task_id'])

/** Numeric identifiers as JSON numbers. */
export function numbered(name: string, value: unknown): unknown {
  return fields.has(name) && typeof value === 'string' && /^[1-9]\d{14}$/.test(value) ? Number(value) : value
}
