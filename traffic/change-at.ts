/** Changes one place in a JSON value. */

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
