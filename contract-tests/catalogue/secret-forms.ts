/** How a response may leak a secret: encoded, or most of it. */

/** A secret as it is, and encoded as base64, as hex and for a URL. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
    encodeURIComponent(secret),
  ]
  return [...new Set([secret, ...encoded])]
}

/** Characters of a secret that can be guessed, and the shortest secret that this applies to. */
const guessable = 4
const long = 16

/** The secret without a few characters, and its second half, except parts that other secrets contain. */
export function partsOf(secret: string, all: readonly { readonly secret: string }[]): string[] {
  if (secret.length < long) return []
  const most = secret.length - guessable
  const parts = Array.from({ length: guessable + 1 }, (_, from) => secret.slice(from, from + most))
  return [...parts, secret.slice(Math.floor(secret.length / 2))].filter(
    (part) => !all.some((other) => other.secret !== secret && other.secret.includes(part)),
  )
}
