/** Reads `Prefer` headers (RFC 7240): `code=402`, `error=busy`, `fault=reset`, `wait=2`, `variant=second`. */
import { type Variant, variants } from '#contract/route.ts'
import { type Instruction, parseInstruction } from './instruction.ts'

/** The preferences of one request. */
export interface Preference {
  /** The requested variant; undefined: none. */
  readonly variant: Variant | undefined
  /** The requested faults, each with its original text. */
  readonly faults: readonly { readonly instruction: Instruction; readonly text: string }[]
  /** Values of `Preference-Applied` for the variant. */
  readonly applied: readonly string[]
}

/** Reads a header; undefined if it contains no known preference. */
export function readPreference(header: string): Preference | undefined {
  const applied: string[] = []
  const faults: Preference['faults'][number][] = []
  let variant: Variant | undefined
  for (const [, name = '', quoted, plain] of header.matchAll(
    /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]+))/g,
  )) {
    const value = quoted ?? plain ?? ''
    const requested =
      name.toLowerCase() === 'variant' ? variants.find((one) => one === value.toLowerCase()) : undefined
    const instruction = instructionOf(name.toLowerCase(), value)
    const text = `${name}=${quoted === undefined ? value : `"${value}"`}`
    if (instruction) faults.push({ instruction, text })
    if (!requested) continue
    variant = requested
    applied.push(text)
  }
  return applied.length + faults.length > 0 ? { variant, faults, applied } : undefined
}

function instructionOf(name: string, value: string): Instruction | undefined {
  if (name === 'wait') return parseInstruction(`delay ${/^\d+(\.\d+)?$/.test(value) ? `${value}s` : value}`)
  if (name === 'fault') return parseInstruction(value)
  const instruction = name === 'code' || name === 'error' ? parseInstruction(value) : undefined
  return instruction?.kind === 'error' ? instruction : undefined
}
