/**
 * URLs of services that a command sends requests to. No error repeats a URL: it may contain a key, or be a key by
 * mistake.
 */
import { type GivenOptions, isHttpUrl, UsageError } from './flags.ts'

/**
 * Reads the base URL of a service from the operand or, without one, from an option; the result has no slash at its end.
 * @throws UsageError for a URL that cannot be requested.
 */
export function readBaseUrl(given: GivenOptions, option: string): string | undefined {
  const isTyped = given.sourceOf(option).startsWith('--')
  const typed = isTyped ? [...given.operands, given.text(option)] : given.operands
  if (typed.length > 1) throw new UsageError(`one base URL at a time, not ${typed.length}`)
  const [text = given.text(option)] = typed
  if (text === undefined) return undefined
  if (!isHttpUrl(text))
    throw new UsageError('the base URL takes http:// or https:// and a host, such as http://127.0.0.1:4402')
  const { origin, pathname, search, hash } = new URL(checkRequestableUrl(given, 'the base URL', text))
  if (search !== '' || hash !== '') throw new UsageError('the base URL takes no query and no fragment')
  return (origin + pathname).replace(/\/+$/, '')
}

/**
 * Parses a URL and checks that it can be requested. @throws UsageError for one with credentials, or with a port that
 * `fetch` refuses.
 */
export function checkRequestableUrl(given: GivenOptions, option: string, text: string): string {
  const { username, password, port } = new URL(text)
  if (username !== '' || password !== '') throw given.wrong(option, 'takes no user name and no password')
  if (!refusedPorts.includes(Number(port))) return text
  throw given.wrong(option, `has port ${port}, which Node's fetch refuses; use another one`)
}

/** The bad ports of the Fetch standard. */
const refusedPorts = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]
