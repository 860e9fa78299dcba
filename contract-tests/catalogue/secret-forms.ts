/** How a secret may come back: whole in another form, or so much of it that the rest can be guessed. */

/** A secret as it is, and coded as base64, hex or for a URL. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
    encodeURIComponent(secret),
  ]
}

/** Characters of a secret that are not worth guessing, and the length from which on that can be said. */
const guessable = 4
const long = 16

/** The whole secret but a few characters, and its second half: no prefix needs so much. None that keys share. */
export function partsOf(secret: string, all: readonly { readonly secret: string }[]): string[] {
  if (secret.length < long) return []
  const most = secret.length - guessable
  const parts = Array.from({ length: guessable + 1 }, (_, from) => secret.slice(from, from + most))
  return [...parts, secret.slice(Math.floor(secret.length / 2))].filter(
    (part) => !all.some((other) => other.secret !== secret && other.secret.includes(part)),
  )
}
