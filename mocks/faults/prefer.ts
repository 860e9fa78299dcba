/** Reads `Prefer` headers (RFC 7240): `code=402`, `error=busy`, `fault=reset`, `wait=2`, `variant=second`. */
import { type Variant, variants } from '#contract/route.ts'
import { didYouMean } from '../core/suggestion.ts'
import { problemOfInstruction } from './fault-words.ts'
import { type Instruction, parseInstruction } from './instruction.ts'

/** The preferences of one request. */
export interface Preference {
  /** The requested variant; undefined: none. */
  readonly variant: Variant | undefined
  /** The requested faults, each with its original text. */
  readonly faults: readonly { readonly instruction: Instruction; readonly text: string }[]
  /** Values of `Preference-Applied` for the variant. */
  readonly applied: readonly string[]
  /** What the mock does not understand, each completing "The mock …" with a suggestion. */
  readonly problems: readonly string[]
}

const names = ['code', 'error', 'fault', 'wait', 'variant'] as const

/** Preferences that other standards define, which a server may ignore (RFC 7240 §2). */
const registered = /^(respond-async|return|handling|depth-noroot|safe|odata\..+|.+\/.*)$/

/** A name begins where none can before it, so that a header without any `=` is read in linear time. */
const pair = /(?<![\w./-])([\w./-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]+))/g

/** Longest header, characters: what was applied stands in a header of the answer. */
const longest = 4_096

/** Reads a header; undefined if it contains nothing for the mock. */
export function readPreference(header: string): Preference | undefined {
  if (header.length > longest)
    return { variant: undefined, faults: [], applied: [], problems: [`takes at most ${longest} characters`] }
  const applied: string[] = []
  const faults: Preference['faults'][number][] = []
  const problems: string[] = []
  let variant: Variant | undefined
  for (const [text, name = '', quoted, plain = ''] of header.matchAll(pair)) {
    const value = quoted ?? plain
    const known = names.find((one) => one === name.toLowerCase())
    if (known === undefined) problems.push(...problemsOfName(text, name))
    else if (known === 'variant') {
      variant = variants.find((one) => one === value.toLowerCase())
      if (variant) applied.push(`${name}=${quoted === undefined ? value : `"${value}"`}`)
      else problems.push(`does not know ${text}; ${didYouMean(value, variants)}`)
    } else {
      const instruction = instructionOf(known, value)
      if (instruction)
        faults.push({ instruction, text: `${name}=${quoted === undefined ? value : `"${value}"`}` })
      else problems.push(problemOfValue(known, value))
    }
  }
  for (const [word] of header.replace(pair, ' ').matchAll(/[^\s,;]+/g))
    problems.push(...problemsOfName(word, word))
  return applied.length + faults.length + problems.length > 0
    ? { variant, faults, applied, problems }
    : undefined
}

type FaultName = Exclude<(typeof names)[number], 'variant'>

function instructionOf(name: FaultName, value: string): Instruction | undefined {
  if (name === 'wait') return parseInstruction(delayFor(value))
  const instruction = parseInstruction(value)
  return name === 'fault' || instruction?.kind === 'error' ? instruction : undefined
}

const delayFor = (value: string) => `delay ${/^\d+(\.\d+)?$/.test(value) ? `${value}s` : value}`

function problemOfValue(name: FaultName, value: string): string {
  if (name === 'wait') return `takes wait=2 or wait=500ms, not wait=${value}`
  if (name !== 'fault' && parseInstruction(value))
    return `takes an error as ${name}, not "${value}"; write fault="${value}"`
  return problemOfInstruction(value)
}

/** The mock ignores what other standards define; anything else is taken for a misspelled preference. */
function problemsOfName(text: string, name: string): string[] {
  if (registered.test(name.toLowerCase())) return []
  return [`does not know ${text}; ${didYouMean(/^[a-z-]*/i.exec(name)?.[0] || name, names)}`]
}
