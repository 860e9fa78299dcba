/** Rows of any resource as people read them: times as text, without secrets, what belongs to them by id. */

/** Fields that are times, ms since the epoch. */
const isTime = (name: string) => /(?:^at|_at|_since|_until)$/.test(name)

/** Returns a row as people read it. */
export function viewRow(row: object): Record<string, unknown> {
  const { secret: _, ...fields } = row as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, viewField(name, value)]))
}

function viewField(name: string, value: unknown): unknown {
  if (typeof value === 'number' && isTime(name)) return momentOf(value)
  if ((name === 'run' || name === 'reserve') && typeof value === 'object' && value !== null)
    return Reflect.get(value, 'id')
  return value
}

/** Returns ISO 8601, or null for a moment that never was. */
function momentOf(at: number): string | null {
  return Number.isFinite(at) ? new Date(at).toISOString() : null
}
