/** A number with its noun: `1 request`, `2 requests`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
