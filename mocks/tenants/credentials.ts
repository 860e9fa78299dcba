/** Test credentials: converts between names of organizations and their keys and sessions (§5). */

/** Name of the cookie of a browser session. */
export const sessionCookie = 'work_agent_session'

/** Returns the `Cookie` header of a session; the token is percent-encoded. */
export function cookieOf(token: string): string {
  return `${sessionCookie}=${encodeURIComponent(token)}`
}

export const keyPrefix = 'wak_test_'
export const sessionPrefix = 'was_test_'
const longestName = 200

/** Returns the name in a key `wak_test_<name>`; undefined: the key has another format. */
export const nameInKey = (secret: string) => nameAfter(keyPrefix, secret)

/** Returns the name in a session token; undefined: the token has another format. */
export const nameInSession = (token: string) => nameAfter(sessionPrefix, token)

/** Returns the session token of the organization with a name. */
export const sessionOf = (name: string) => sessionPrefix + name

/**
 * Returns the name of the organization that a key of `keysOnly` owns: the key without `wak_test_`, or the whole
 * key if the rest is another key.
 */
export function nameOfKey(secret: string, keysOnly: readonly string[] | undefined): string {
  const name = nameInKey(secret)
  return name === undefined || keysOnly?.includes(name) ? secret : name
}

/** Returns the bearer value of the organization with a name. */
export function keyOf(name: string, keysOnly: readonly string[] | undefined): string {
  return keysOnly?.find((key) => nameOfKey(key, keysOnly) === name) ?? keyPrefix + name
}

function nameAfter(prefix: string, text: string): string | undefined {
  const valid =
    text.startsWith(prefix) && text.length > prefix.length && text.length <= prefix.length + longestName
  return valid ? text.slice(prefix.length) : undefined
}
