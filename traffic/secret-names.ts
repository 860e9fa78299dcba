/**
 * Which headers, parameters and fields carry a secret, told by the words of their names: `X-Session-Token`,
 * `client_secret`, `apiKey`. A key alone is no secret, or `Idempotency-Key` would be one.
 */

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words by which a name is that of a secret. */
const telling = setOf(`
  apikey auth authentication authorization bearer cookie credential credentials csrf jwt oauth
  passphrase passwd password pwd secret session sessionid sig signature token xsrf
`)

/** Words before `key` by which the key is a secret. */
const ofKeys = setOf('access account admin api auth master private signing subscription')

/** Last words of names that describe a secret and do not hold it. */
const about = setOf(`
  algorithm at count endpoint expires expiry hint in length limit name policy style timeout type
  uri url
`)

/** Longer names are cut before they are read. */
const longest = 200

/** True if the value of a header, URL parameter or JSON field with this name is a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, longest)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
  // Answers of CORS say whether credentials are allowed.
  if (about.has(words.at(-1) ?? '') || (words[0] === 'access' && words[1] === 'control')) return false
  return words.some((word, i) => telling.has(word) || (word === 'key' && ofKeys.has(words[i - 1] ?? '')))
}
