/** Timestamps under other names and in other forms: §2 shows neither. */

/** How an organization tells the time. */
export interface TimeForm {
  readonly name: (field: string) => string
  readonly value: (at: number) => string | number
}

const camel = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const same = (field: string) => field
const iso = (at: number) => new Date(at).toISOString()

export const timeForms: readonly [TimeForm, ...TimeForm[]] = [
  { name: same, value: (at) => Math.floor(at / 1_000) },
  { name: camel, value: (at) => at },
  { name: camel, value: iso },
  { name: (field) => `t_${field.replace(/_at$/, '')}`, value: (at) => new Date(at).toUTCString() },
  { name: same, value: (at) => iso(at).replace('Z', '+00:00') },
]

/** Names that the specification gives. */
const given = new Set(['last_used_at', 'createdTime'])

/** A field of a resource, if it is a time, in another form. */
export function retimed(form: TimeForm, name: string, value: unknown): [string, unknown] {
  if (!name.endsWith('_at') && !given.has(name)) return [name, value]
  const told = typeof value === 'string' ? form.value(Date.parse(value)) : value
  return [given.has(name) ? name : form.name(name), told]
}
