/** When two texts count as the same. */

/** Whether two texts are the same but for white space at either end, which a service may trim (§2). */
export function isSameTrimmed(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b)
}

/** Whether a field holds nothing: null, missing, or white space. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
