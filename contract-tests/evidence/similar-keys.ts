/** Invalid keys that differ little from a valid one. Pure. */

export function similarTo(value: string): string[] {
  const last = value.at(-1) === 'a' ? 'b' : 'a'
  const half = Math.floor(value.length / 2)
  const middle = value.slice(0, half) + (value[half] === 'a' ? 'b' : 'a') + value.slice(half + 1)
  const similar = [value.slice(0, -1) + last, `${value}x`, value.slice(0, -1), swapCase(value), middle]
  return similar.filter((one) => one !== value)
}

/** A text with capitals in place of small letters, and the other way round. */
export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
