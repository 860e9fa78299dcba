/** A fault rule as the form of the page holds it, and every way to write it. */
import type { ControlAnswers } from '#mocks/edges/admin/index.ts'
import type { OperatorAction } from '#mocks/journal/journal.ts'

/**
 * The choices in the fault form by their names in the address. `op`: the operation that the rule is for; `fault`: a
 * word of the vocabulary; `with`: its argument, such as `500ms..2s`; `lost`: the request takes effect although its
 * answer is lost; `next`: faults of the following requests, separated by commas.
 */
export type FaultFormValues = Readonly<Record<string, string>> & { readonly fault: string }

/** The argument with which the form begins, for each word of faults that takes one. */
export const exampleArguments: Readonly<Record<string, string>> = {
  delay: '500ms',
  slow: '5s',
  dribble: '2s',
}

/** The faults that are chosen in the fault form, in the grammar of fault rules. */
export function faultTextsOfForm({ fault, with: argument, lost, next = '' }: FaultFormValues): string[] {
  const taken = exampleArguments[fault] === undefined ? '' : argument || exampleArguments[fault]
  const first = [lost && 'lost', fault, taken].filter(Boolean).join(' ')
  return [first, ...next.split(',').map((one) => one.trim())].filter(Boolean)
}

/** The rule that is chosen in the fault form as text, in the grammar of `--fault`. */
export function faultRuleTextOfForm(choice: FaultFormValues): string {
  const { op, times, after, rate, seed } = choice
  const limits = Object.entries({ times, rate, after, seed: rate && seed })
  const tail = limits.filter(([, value]) => value).map(([name, value]) => `;${name}=${value}`)
  return `${op ? `${op}=` : ''}${faultTextsOfForm(choice).join(',')}${tail.join('')}`
}

/** A text in single quotes, for a shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

type Line = readonly [what: string, text: string]

/**
 * Command lines that set the same fault rule. `start`: the command that starts the mock; `url`: the control route of
 * rules; `org_id`: the organization; undefined: all.
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
 * Creates the function that maps a moment, ms since the epoch, to a place from 0 to 1; long gaps between the given
 * moments are shortened.
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

/** The words that fault rules are made of, as the control route lists them. */
export type FaultVocabulary = ControlAnswers['GET /vocabulary']

/** A scenario of the mock as its control route lists it: an id, a title and the options it sets. */
export type ScenarioView = ControlAnswers['GET /scenarios']['scenarios'][number]

/** One request and its response, with headers and bodies, as the control route returns it. */
export type ExchangeDetail = ControlAnswers['GET /requests/:id']

/**
 * One row of the list of requests: a request, or an action of an operator between two requests, whose number is a
 * fraction.
 */
export type LogRow = ControlAnswers['GET /requests/rows']['requests'][number]

/** True if the number of a row is that of a request, and not of an action of an operator. */
export const isRequestNumber = (number: number): boolean => number > 0 && Number.isInteger(number)

/** An action of an operator as a row of the list of requests, of which only the shared fields may be read. */
export const actionAsLogRow = (action: OperatorAction): LogRow => action as unknown as LogRow

/** The action of an operator, in words, by its row. */
export const actionTextOf = (row: LogRow): string => (row as unknown as OperatorAction).says
