/** The fields of `X-Mock-Reason`, in which the mock names the fault that it applied: `rule=f1; fault=lost 502; remaining=2`. */

/**
 * The fault that caused an answer of the mock, read from `X-Mock-Reason`. `rule`: the id of the fault rule;
 * `remaining`: how often that rule still applies.
 */
export interface FaultReason {
  readonly origin: 'rule' | 'state' | 'prefer' | 'magic'
  readonly rule: string | null
  /** The fault in the grammar of fault rules; null if it was not understood. */
  readonly fault: string | null
  readonly remaining: number | null
}

const origins: readonly string[] = ['rule', 'state', 'magic'] satisfies FaultReason['origin'][]

/** Reads the value of the header in which the mock names a fault; undefined: no fault applied. */
export function readFaultReason(reason: string | null): FaultReason | undefined {
  if (reason === null) return undefined
  const fields = reason.split('; ').map((part) => part.split(/=(.*)/s))
  const { rule = null, fault = null, remaining } = Object.fromEntries(fields)
  const word = fields[0]?.[0] ?? ''
  const origin = (origins.includes(word) ? word : 'prefer') as FaultReason['origin']
  return { origin, rule, fault, remaining: remaining === undefined ? null : Number(remaining) }
}

/**
 * Returns all words in the fault text of a reason: the keyword of the fault and its arguments, which may be the words
 * of another fault.
 */
export const wordsInFaultReason = ({ fault }: FaultReason): ReadonlySet<string> =>
  new Set(fault?.split(/[\s,:]+/) ?? [])
