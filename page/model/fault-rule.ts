/** A fault rule as the form of the page holds it, and every way to write it. */
import type { ControlAnswers } from '#mocks/edges/admin/index.ts'
import type { OperatorAction } from '#mocks/journal/journal.ts'

/**
 * The values of the fault form, by the names that the address has for them. `op`: the operation that the rule is for;
 * `fault`: a keyword; `with`: its argument, such as `500ms..2s`; `lost`: the request takes effect although its answer
 * is lost; `next`: faults of the following requests, separated by commas.
 */
export type FaultFormValues = Readonly<Record<string, string>> & { readonly fault: string }

/** The argument that the form suggests at first for each fault that takes one, by keyword. */
export const exampleArguments: Readonly<Record<string, string>> = {
  delay: '500ms',
  slow: '5s',
  dribble: '2s',
}

/** Converts the values of the fault form to faults, each in the grammar of fault rules. */
export function faultTextsOfForm({ fault, with: argument, lost, next = '' }: FaultFormValues): string[] {
  const taken = exampleArguments[fault] === undefined ? '' : argument || exampleArguments[fault]
  const first = [lost && 'lost', fault, taken].filter(Boolean).join(' ')
  return [first, ...next.split(',').map((one) => one.trim())].filter(Boolean)
}

/** Converts the values of the fault form to the text of a fault rule, in the grammar of `--fault`. */
export function faultRuleTextOfForm(choice: FaultFormValues): string {
  const { op, times, after, rate, seed } = choice
  const limits = Object.entries({ times, rate, after, seed: rate && seed })
  const tail = limits.filter(([, value]) => value).map(([name, value]) => `;${name}=${value}`)
  return `${op ? `${op}=` : ''}${faultTextsOfForm(choice).join(',')}${tail.join('')}`
}

/** Quotes a text for a shell, in single quotes. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

type Line = readonly [what: string, text: string]

/**
 * Writes the command lines that would set the same fault rule. `start`: the command that starts the mock; `url`: the
 * control route of rules; `org_id`: the organization; undefined: all.
 */
export function equivalentCommandsOf(
  rule: string,
  faults: readonly string[],
  start: string,
  url: string,
  org_id: string | undefined,
): Line[] {
  const first = faults[0] ?? ''
  const script = JSON.stringify(rule)
  return [
    ['flag', `${start} --fault ${shellQuoted(rule)}`],
    ['header, one request', `Prefer: fault="${first}"`],
    ['key', `wak_test_ada.fault=${rule.replaceAll(' ', ':')}`],
    ['curl', `curl ${shellQuoted(url)} --json ${shellQuoted(JSON.stringify({ rule }))}`],
    ['TypeScript', `createMock({ fault: ${script} })`],
    [
      'in a test',
      org_id === undefined ? `mock.faults.add(${script})` : `mock.organization('ada').faults.add(${script})`,
    ],
  ]
}

/** Returns the place of a moment on the axis, 0 to 1. */
type Axis = (moment: number) => number

/**
 * Creates a function that maps a moment, ms since the epoch, to a position from 0 to 1 on the time axis; long gaps
 * between the given moments are shortened.
 */
export function createTimeScale(moments: readonly number[]): Axis {
  const sorted = [...new Set(moments)].sort((a, b) => a - b)
  const gaps = sorted.slice(1).map((moment, place) => moment - (sorted[place] ?? 0))
  const shortest = Math.min(...gaps)
  const places = [0]
  for (const gap of gaps) places.push((places.at(-1) ?? 0) + 1 + Math.log10(gap / shortest))
  const whole = places.at(-1) || 1
  return (moment) => {
    const after = sorted.findIndex((one) => one >= moment)
    if (after <= 0) return after === 0 ? 0 : 1
    const [from = 0, to = 1] = [sorted[after - 1], sorted[after]]
    const [start = 0, end = 0] = [places[after - 1], places[after]]
    return (start + ((moment - from) / (to - from)) * (end - start)) / whole
  }
}

/** The words that fault rules consist of, as the control route returns them. */
export type FaultVocabulary = ControlAnswers['GET /vocabulary']

/** A scenario of the mock as the control route returns it: an id, a title and the options it sets. */
export type ScenarioView = ControlAnswers['GET /scenarios']['scenarios'][number]

/** One request and its response, with headers and bodies, as the control route returns it. */
export type ExchangeDetail = ControlAnswers['GET /requests/:id']

/**
 * One row of the list of requests: a request, or an operator's action between two requests, whose number is then a
 * fraction.
 */
export type LogRow = ControlAnswers['GET /requests/rows']['requests'][number]

/** True if a row with this number is a request, and not an operator's action. */
export const isRequestNumber = (number: number): boolean => number > 0 && Number.isInteger(number)

/** Presents an operator's action as a row of the list of requests; only the fields that both have may then be read. */
export const actionAsLogRow = (action: OperatorAction): LogRow => action as unknown as LogRow

/** The description of the operator's action that a row presents. */
export const actionTextOf = (row: LogRow): string => (row as unknown as OperatorAction).says
