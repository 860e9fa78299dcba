/** A fault rule as somebody chooses it, and every way to write the same rule. */

/** The choices. Texts are empty where nothing was chosen. */
export interface FaultChoice {
  /** Empty: every operation. */
  readonly operation: string
  /** A word of the vocabulary, such as `rate_limited`, `reset` or `delay`. */
  readonly fault: string
  /** What the word takes, such as `500ms..2s`. */
  readonly argument: string
  /** Whether the request has its effect although the answer is lost. */
  readonly lost: boolean
  /** Faults of the following requests, separated by commas. */
  readonly next: string
  readonly times: string
  readonly after: string
  readonly rate: string
  readonly seed: string
}

/** Arguments that words take, with the one that is offered first. */
export const argumentOf: Readonly<Record<string, string>> = {
  delay: '500ms',
  slow: '5s',
  dribble: '2s',
}

/** Returns the faults of a choice, in order. */
export function faultsOf({ fault, argument, lost, next }: FaultChoice): string[] {
  const taken = argumentOf[fault] === undefined ? '' : argument || argumentOf[fault]
  const first = [lost && 'lost', fault, taken].filter(Boolean).join(' ')
  return [first, ...next.split(',').map((one) => one.trim())].filter(Boolean)
}

/** Returns the rule in the grammar of `--fault`. */
export function ruleOf(choice: FaultChoice): string {
  const { operation, times, after, rate, seed } = choice
  const limits = Object.entries({ times, rate, after, seed: rate === '' ? '' : seed })
  const tail = limits.filter(([, value]) => value !== '').map(([name, value]) => `;${name}=${value}`)
  return `${operation && `${operation}=`}${faultsOf(choice).join(',')}${tail.join('')}`
}

/** A text in single quotes, for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A way to write a rule: what it is, and the text. */
export type Line = readonly [what: string, text: string]

/**
 * Returns the lines that do the same as a rule. `key`: the key of the organization; undefined: for all. `origin`: where
 * the mock listens. `start`: what starts it.
 */
export function linesOf(
  rule: string,
  faults: readonly string[],
  key: string | undefined,
  origin: string,
  start: string,
): Line[] {
  const body = JSON.stringify({ rule })
  const header = key === undefined ? '' : ` -H 'Authorization: Bearer ${key}'`
  const first = faults[0] ?? ''
  const script = JSON.stringify(rule)
  return [
    ['flag', `${start} --fault ${quoted(rule)}`],
    ['header, one request', `Prefer: fault="${first}"`],
    ['key', `wak_test_ada.fault=${rule.replaceAll(' ', ':')}`],
    ['curl', `curl ${origin}/__admin/faults${header} --json ${quoted(body)}`],
    ['TypeScript', `createMock({ fault: ${script} })`],
    [
      'in a test',
      key === undefined ? `mock.faults.add(${script})` : `mock.organization('ada').faults.add(${script})`,
    ],
  ]
}
