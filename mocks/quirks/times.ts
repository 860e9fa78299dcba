/** Timestamps under other names and in other forms: neither is published (§2). */

import { changeObjects } from './fields.ts'
import type { Quirk } from './quirk.ts'
import { rewriteBody, rewriteField } from './rewrites.ts'

const camel = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const same = (field: string) => field
const iso = (at: number) => new Date(at).toISOString()

/** Names that the specification gives. */
const published = new Set(['last_used_at', 'createdTime'])

const group = 'times'

const times = (
  id: string,
  title: string,
  rename: (field: string) => string,
  form: (at: number) => string | number,
): Quirk => {
  const retimed = ([name, value]: [string, unknown]): [string, unknown] => {
    if (!name.endsWith('_at') && !published.has(name)) return [name, value]
    const moment = typeof value === 'string' ? form(Date.parse(value)) : value
    return [published.has(name) ? name : rename(name), moment]
  }
  return {
    id: `times-${id}`,
    title,
    allowed: '#task-times, #key-last-used: names and formats are open.',
    group,
    share: 0.2,
    rewrite: rewriteBody((body) =>
      changeObjects(body, (fields) => Object.fromEntries(Object.entries(fields).map(retimed))),
    ),
  }
}

export const timestamps: readonly Quirk[] = [
  times('seconds', 'Times are in seconds since 1970.', same, (at) => Math.floor(at / 1_000)),
  times(
    'milliseconds',
    'Times are in milliseconds since 1970, under names in camel case.',
    camel,
    (at) => at,
  ),
  times('camel-case', 'Times have names in camel case.', camel, iso),
  times(
    'http-dates',
    'Times are HTTP dates, under other names.',
    (field) => `t_${field.replace(/_at$/, '')}`,
    (at) => new Date(at).toUTCString(),
  ),
  times('offset', 'Times have the offset +00:00.', same, (at) => iso(at).replace('Z', '+00:00')),
  {
    id: 'key-times-as-numbers',
    title: 'last_used_at is a number.',
    allowed: '#key-last-used: the format is open.',
    group,
    rewrite: rewriteField('keys.*.last_used_at', (at) => (at ? Date.parse(String(at)) : at), 'listKeys'),
  },
]
