/** Identifiers of other forms: §2 shows none, so they are opaque, and may be numbers. */
import type { Chance } from '../world.ts'

/** Makes an identifier of a kind. */
export type IdForm = (chance: Chance, kind: string) => string

const hex = (chance: Chance) => chance.word().toString(16).padStart(8, '0')

const uuid: IdForm = (chance) => {
  const [a, b, c, d] = [hex(chance), hex(chance), hex(chance), hex(chance)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** 15 digits: a number that JSON and JavaScript carry whole. */
const number: IdForm = (chance) =>
  String(1e14 + Math.floor(chance.fraction() * 9e13) * 10 + (chance.word() % 10))

/** What a client that does not percent-encode stumbles over. */
const odd: IdForm = (chance, kind) => `${kind}/é ?&%2F#+;"'${chance.id('')}`

const long: IdForm = (chance, kind) =>
  `${kind}:${Array.from({ length: 12 }, () => chance.id('').slice(1)).join('.')}`

const usual: IdForm = (chance, kind) => chance.id(kind)

export const idForms = [uuid, number, odd, long, usual] as const

/** Forms for organizations, whose ids stand in addresses of the mock's own. */
export const plainForms = [uuid, number, usual] as const

const fields = new Set(['id', 'taskId', 'runId', 'artifactId', 'task_id'])

/** Numeric identifiers as JSON numbers. */
export function numbered(name: string, value: unknown): unknown {
  return fields.has(name) && typeof value === 'string' && /^[1-9]\d{14}$/.test(value) ? Number(value) : value
}
