/** Reads the reason of a fault, as `X-Mock-Reason` shows it. */

/** Where a fault came from, and what it was. */
export interface FaultOrigin {
  /** A fault rule, the `Prefer` header, or a text directive. */
  readonly origin: 'rule' | 'prefer' | 'magic'
  /** The id of the fault rule; null: none. */
  readonly rule: string | null
  /** The fault, such as `rate_limited`; null: it was not understood. */
  readonly fault: string | null
  /** How often the rule applies from then on; null: without limit. */
  readonly remaining: number | null
}

/** Returns what a reason says; undefined: there is no reason. */
export function readReason(reason: string | null): FaultOrigin | undefined {
  if (reason === null) return undefined
  const [first = '', ...rest] = reason.split('; ')
  const [word = '', rule = null] = first.split('=')
  const part = (name: string) => {
    const found = rest.find((one) => one.startsWith(`${name}=`))
    return found === undefined ? null : found.slice(name.length + 1)
  }
  const remaining = part('remaining')
  return {
    origin: word === 'rule' || word === 'magic' ? word : 'prefer',
    rule,
    fault: part('fault'),
    remaining: remaining === null ? null : Number(remaining),
  }
}
