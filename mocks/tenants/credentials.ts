/** Test credentials: the organization that a key or a session names, and the reverse (§5). */

/** The cookie of a logged-in browser session. */
export const sessionCookie = 'work_agent_session'

/** The `Cookie` header of a session: names that no header can carry are percent-encoded. */
export function cookieOf(token: string): string {
  return `${sessionCookie}=${encodeURIComponent(token)}`
}

const keyPrefix = 'wak_test_'
const sessionPrefix = 'was_test_'
const longestName = 200

/** The name in a key `wak_test_<name>`; undefined: the key has another form. */
export const nameInKey = (secret: string) => nameAfter(keyPrefix, secret)

/** The name in a session token; undefined: the token has another form. */
export const nameInSession = (token: string) => nameAfter(sessionPrefix, token)

/** The session token of the organization of a name. */
export const sessionOf = (name: string) => sessionPrefix + name

/**
 * The organization that a key of `keysOnly` owns: named like the key, without `wak_test_` unless another key is
 * called just that.
 */
export function nameOfKey(secret: string, keysOnly: readonly string[] | undefined): string {
  const name = nameInKey(secret)
  return name === undefined || keysOnly?.includes(name) ? secret : name
}

/** The bearer value of the organization of a name. */
export function keyOf(name: string, keysOnly: readonly string[] | undefined): string {
  return keysOnly?.find((key) => nameOfKey(key, keysOnly) === name) ?? keyPrefix + name
}

function nameAfter(prefix: string, text: string): string | undefined {
  const fits =
    text.startsWith(prefix) && text.length > prefix.length && text.length <= prefix.length + longestName
  return fits ? text.slice(prefix.length) : undefined
}
