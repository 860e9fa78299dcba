/** Changes of JSON values: at a path, or in every object. Nothing is changed in place. */

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value with a change at a path such as `items.*.status`; `*`: every item of a list, undefined: no field. */
export function changeAt(
  value: unknown,
  path: readonly string[],
  change: (value: unknown, parent: Fields) => unknown,
): unknown {
  const [name = '', ...rest] = path
  if (name === '*') return Array.isArray(value) ? value.map((item) => changeAt(item, rest, change)) : value
  if (!isFields(value)) return value
  const changed = rest.length > 0 ? changeAt(value[name], rest, change) : change(value[name], value)
  const fields: Record<string, unknown> = { ...value, [name]: changed }
  if (changed === undefined) delete fields[name]
  return fields
}

/** What clients gave as objects: it comes back unchanged. */
const given = new Set(['spec', 'strategy'])

/** A value with every object in it changed, from the inside out. */
export function changeObjects(value: unknown, change: (fields: Fields) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => changeObjects(item, change))
  if (!isFields(value)) return value
  const inner = Object.entries(value).map(([name, one]) => [
    name,
    given.has(name) ? one : changeObjects(one, change),
  ])
  return change(Object.fromEntries(inner))
}
