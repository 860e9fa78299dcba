/**
 * Checks what a caller hands over, in plain JavaScript or as JSON: each unknown name and each wrong value is one error
 * that says what to write instead.
 */
import { z } from 'zod'
import { adviceOnUnknownWord, joinWithOr } from './suggestion.ts'

/**
 * Creates the schema of an object that rejects unknown fields. `names`: the names that a misspelled field is compared
 * with; default: those of the fields.
 */
export function createStrictObjectSchema<S extends z.ZodRawShape>(
  shape: S,
  names: readonly string[] = Object.keys(shape),
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? describeUnknownName((issue.keys as string[])[0] ?? '', names)
        : undefined,
  })
}

/** Writes the error message for an unknown name, with the known name that was probably meant. */
export function describeUnknownName(name: string, names: readonly string[]): string {
  return `does not take "${name}"${names.length > 0 ? `; ${adviceOnUnknownWord(name, names)}` : ''}`
}

/** Creates the schema of a text that must be one of the given words, such as ids. */
export function createOneOfSchema<const W extends string>(words: readonly W[]) {
  return z.enum(words as unknown as readonly [W, ...W[]], {
    error: ({ input }) =>
      `takes ${typeof input === 'string' ? suggestKnownWord(input, words) : joinWithOr(words)}`,
  })
}

/**
 * Completes an error message that begins with "takes": with the known word that an unknown one resembles, or with
 * advice.
 */
export function suggestKnownWord(word: string, words: readonly string[]): string {
  const advice = adviceOnUnknownWord(word, words)
  return advice.startsWith('write ') ? advice.slice('write '.length) : `no "${word}"; ${advice}`
}

/** Schema of a value that must be a function. */
export const callbackSchema = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'takes a function',
)

/** Schema of an object that must have a method, such as a mock; `expected`: what is taken instead of another value. */
export const objectWithMethodSchema = (method: string, expected: string) =>
  z.custom((value) => typeof Object(value)[method] === 'function', expected)

/**
 * Schema of an event listener. An error that the listener throws becomes an uncaught error of the program, and never
 * reaches the code that emits the event.
 */
export const eventListenerSchema = callbackSchema.transform((notify) => (told: never) => {
  try {
    notify(told)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
})

/** The result of parsing: the parsed value, or the first problem, such as `times: takes a whole number`. */
export type ParseResult<T> =
  | { readonly data: T; readonly problem?: never }
  | { readonly data?: never; readonly problem: string }

/**
 * Parses a value by a schema; returns the parsed value or the first problem. `whole`: the name of the value in a
 * problem that concerns all of it.
 */
export function tryParse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  whole?: string,
): ParseResult<z.output<S>> {
  const { success, data, error } = schema.safeParse(value, { error: messageOf })
  return success ? { data } : { problem: problemOf(error.issues, whole) }
}

/**
 * Parses a value by a schema. @throws TypeError for an invalid value; its message begins with `where`, such as
 * `faults.add`, and says what to write instead.
 */
export function parseOrThrow<S extends z.ZodType>(where: string, schema: S, value: unknown): z.output<S> {
  const { data, problem } = tryParse(schema, value)
  if (problem !== undefined) throw new TypeError(`${where}: ${endWithFullStop(problem)}`)
  return data as z.output<S>
}

/** Formats a value for an error message: a string in quotes, anything else as text. */
export const formatValueForMessage = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value) : String(value)

/** Ends a message with a full stop, unless it is a question. */
export function endWithFullStop(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}

/** Returns the first problem as text, with the name of its field. */
function problemOf(issues: readonly z.core.$ZodIssue[], whole: string | undefined): string {
  const { path, message } = deepest(issues) ?? { path: [], message: 'is wrong' }
  // A problem of a list's element is reported under the name of the list; its message has the word.
  const name = (typeof path.at(-1) === 'number' ? path.slice(0, -1) : path).join('.') || whole
  return name === undefined ? message : `${name}: ${message}`
}

interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The first issue; of a union, that of the alternative which was meant: the one that fits except for a part. */
function deepest(issues: readonly z.core.$ZodIssue[]): Problem | undefined {
  // A missing field may be the misspelled one, so that unknown names come first.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return undefined
  const { path, message } = issue
  if (issue.code !== 'invalid_union' || message !== noMessage) return { path, message }
  const fitsAsAWhole = ([first]: readonly z.core.$ZodIssue[]) =>
    first !== undefined && (first.path.length > 0 || first.code === 'unrecognized_keys')
  const meant =
    issue.errors.find(fitsAsAWhole) ?? issue.errors.find(([first]) => first && first.code !== 'invalid_type')
  const inner = meant && deepest(meant)
  if (inner) return { path: [...path, ...inner.path], message: inner.message }
  const types = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' ? [named(first.expected)] : [],
  )
  return { path, message: types.length > 0 ? `takes ${joinWithOr([...new Set(types)])}` : 'is wrong' }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const named = (type: string) => typeNames[type] ?? type

/** Message of a union that leaves it to its alternatives to say what is wrong. */
const noMessage = ''

/** Message of a problem for which a schema has none of its own; undefined: that of zod. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'is missing; it ' : ''}takes ${named(issue.expected)}`
    case 'invalid_value':
      return `takes ${joinWithOr(issue.values.map(String))}`
    case 'unrecognized_keys':
      return describeUnknownName(issue.keys[0] ?? '', [])
    case 'too_small':
      return issue.origin === 'string'
        ? 'takes a text that is not empty'
        : `takes ${issue.minimum.toLocaleString('en')} or more`
    case 'too_big':
      return `takes ${issue.maximum.toLocaleString('en')} or less`
    case 'invalid_union':
      return Array.isArray(issue.options) ? `takes ${joinWithOr(issue.options.map(String))}` : noMessage
    default:
      return undefined
  }
}
