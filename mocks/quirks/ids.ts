/** Ids of other forms: they are opaque, and may be numbers (§2). */
import type { SeededRandom } from '../core/random.ts'
import type { Quirk } from './quirk.ts'
import { rewriteObjects } from './rewrites.ts'

const hex = (random: SeededRandom) => random.word().toString(16).padStart(8, '0')

function newUuid(random: SeededRandom): string {
  const [a, b, c, d] = [hex(random), hex(random), hex(random), hex(random)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** 15 digits: a number that JSON and JavaScript carry whole. */
const newNumber = (random: SeededRandom) =>
  String(1e14 + Math.floor(random.fraction() * 9e13) * 10 + (random.word() % 10))

const fields = new Set(['id', 'taskId', 'runId', 'artifactId', 'task_id'])

/** The value of a field, as a JSON number where it is a numeric id. */
const numbered = (name: string, value: unknown) =>
  fields.has(name) && typeof value === 'string' && /^[1-9]\d{14}$/.test(value) ? Number(value) : value

const form = { allowed: '#ids: the form is open.', group: 'ids', scope: 'ids', share: 0.2 } as const

export const ids: readonly Quirk[] = [
  { id: 'ids-uuids', title: 'Ids are UUIDs.', ...form, plain: true, newId: newUuid },
  {
    id: 'ids-numbers',
    title: 'Ids are numbers.',
    ...form,
    plain: true,
    newId: newNumber,
    rewrite: rewriteObjects((object) =>
      Object.fromEntries(Object.entries(object).map(([name, value]) => [name, numbered(name, value)])),
    ),
  },
  {
    id: 'ids-odd',
    title: 'Ids contain slashes, quotes, spaces and letters beyond ASCII.',
    ...form,
    newId: (random, kind) => `${kind}/é ?&%2F#+;"'${random.id('')}`,
  },
  {
    id: 'ids-long',
    title: 'Ids have more than 200 characters.',
    ...form,
    newId: (random, kind) => `${kind}:${Array.from({ length: 12 }, () => random.id('').slice(1)).join('.')}`,
  },
]
