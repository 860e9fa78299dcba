/** When two texts count as the same. */

/** Whether two texts are the same but for white space at either end, which a service may trim (§2). */
export function isSameTrimmed(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b)
}

/** Whether a field holds nothing: null, missing, or white space. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const masks = new Set('.…*•')

/** A prefix of a key without the dots or stars that stand for the rest of the key. */
export function withoutMask(prefix: string): string {
  let end = prefix.length
  while (end > 0 && masks.has(prefix[end - 1] ?? '')) end--
  return prefix.slice(0, end)
}
