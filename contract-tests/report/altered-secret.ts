/** A name for a secret with a small alteration: what a shell makes of the variable that holds the secret. Pure. */
import type { Secret } from '#traffic/redaction.ts'
import { swapCase } from '../evidence/key-use.ts'

/**
 * The expression of a shell for a text that differs from a secret in one place by at most one character, or in the
 * case of all letters; undefined: it differs in more. The variable is that in the name of the secret.
 */
export function nameOfAltered(text: string, { value, name }: Secret): string | undefined {
  const variable = name.replace(/^\$/, '')
  if (text === swapCase(value)) return `$(printf %s $${variable} | tr A-Za-z a-zA-Z)`
  const start = commonStart([...text], [...value])
  const end = commonStart([...text.slice(start)].reverse(), [...value.slice(start)].reverse())
  const added = text.slice(start, text.length - end)
  if (added.length > 1 || start + end < value.length - 1) return undefined
  return (
    part(variable, '%', value.length - start, start) + added + part(variable, '#', value.length - end, end)
  )
}

/** The variable without some characters at one end of its value; empty if none of it is `kept`. */
function part(variable: string, end: '%' | '#', without: number, kept: number): string {
  if (kept === 0) return ''
  return without === 0 ? `\${${variable}}` : `\${${variable}${end}${'?'.repeat(without)}}`
}

/** How many items two lists have in common at their start. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((one, i) => one !== b[i])
  return at < 0 ? a.length : at
}
