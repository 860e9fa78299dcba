/** What a `Prefer` header asks of the mock (RFC 7240): `code=402`, `error=busy`, `fault=reset`, `wait=2`, `variant=second`. */
import { type Variant, variants } from '#contract/route.ts'
import { type Instruction, parseInstruction } from './instruction.ts'

export interface Preference {
  readonly variant: Variant | undefined
  /** What to do, each as it was said. */
  readonly wishes: readonly { readonly instruction: Instruction; readonly text: string }[]
  /** What `Preference-Applied` says of the variant. */
  readonly applied: readonly string[]
}

/** Reads a header; undefined where it asks for nothing that the mock knows. */
export function readPreference(header: string): Preference | undefined {
  const applied: string[] = []
  const wishes: Preference['wishes'][number][] = []
  let variant: Variant | undefined
  for (const [, name = '', quoted, plain] of header.matchAll(
    /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]+))/g,
  )) {
    const value = quoted ?? plain ?? ''
    const wished =
      name.toLowerCase() === 'variant' ? variants.find((one) => one === value.toLowerCase()) : undefined
    const instruction = instructionOf(name.toLowerCase(), value)
    const text = `${name}=${quoted === undefined ? value : `"${value}"`}`
    if (instruction) wishes.push({ instruction, text })
    if (!wished) continue
    variant = wished
    applied.push(text)
  }
  return applied.length + wishes.length > 0 ? { variant, wishes, applied } : undefined
}

function instructionOf(name: string, value: string): Instruction | undefined {
  if (name === 'wait') return parseInstruction(`delay ${/^\d+(\.\d+)?$/.test(value) ? `${value}s` : value}`)
  if (name === 'fault') return parseInstruction(value)
  const instruction = name === 'code' || name === 'error' ? parseInstruction(value) : undefined
  return instruction?.kind === 'error' ? instruction : undefined
}
