/**
 * Parses fault rules in flags and keys: `[OPERATION=]FAULT,FAULT,…[;times=N][;rate=R][;after=N][;seed=S]`, and for
 * chaos `[;in-a-row=N][;id=ID]`.
 */
import { z } from 'zod'
import { didYouMean } from '#contract/input/suggestion.ts'
import { isOperationId, operationIds } from '#contract/operation.ts'
import { problemOfInstruction } from './fault-words.ts'
import { type Instruction, parseInstruction, problemOn } from './instruction.ts'
import type { RuleDraft } from './rule.ts'

/** Parses a rule, or returns the error as text that completes "A fault rule …". */
export function parseRule(text: string): RuleDraft | string {
  const [head = '', ...rest] = text.split(';').map((part) => part.trim())
  const [, operation, list = ''] = /^(?:(\w+)=)?(.*)$/.exec(head) ?? []
  if (operation !== undefined && !isOperationId(operation)) return unknownOperation(operation)
  const faults: Instruction[] = []
  for (const word of list.split(',')) {
    const instruction = parseInstruction(word)
    if (!instruction) return problemOfInstruction(word)
    faults.push(instruction)
  }
  const numbers = readSettings(rest)
  if (typeof numbers === 'string') return numbers
  const draft = { operation, faults, ...numbers }
  return checkRule(draft) ?? draft
}

/**
 * Parses `CODE[@OPERATION]`, an error code or a status on one operation or on every one that declares it, or
 * returns the error as text.
 */
export function parseForce(text: string): RuleDraft | string {
  const [code = '', operation, ...rest] = text.split('@')
  if (rest.length > 0) return `takes CODE or CODE@OPERATION, not "${text}"`
  const instruction = parseInstruction(code)
  if (!instruction) return problemOfInstruction(code)
  if (instruction.kind !== 'error')
    return `takes an error such as 402 or busy, not "${code}"; --fault takes any fault`
  if (operation !== undefined && !isOperationId(operation)) return unknownOperation(operation)
  const draft = { operation, faults: [instruction] }
  return checkRule(draft) ?? draft
}

function unknownOperation(operation: string): string {
  return `does not know the operation "${operation}"; ${didYouMean(operation, operationIds)}`
}

/** Returns why a rule is invalid, as text that completes "A fault rule …"; undefined: it is valid. */
export function checkRule({ operation, faults }: RuleDraft): string | undefined {
  if (faults.length === 0) return 'needs at least one fault'
  if (operation === undefined) return undefined
  return faults.map((fault) => problemOn(operation, fault)).find((problem) => problem !== undefined)
}

/** A name in a rule, such as its seed: a text that `;name=TEXT` can contain. */
export const nameInRule = z
  .string()
  .regex(/^[^;\s]([^;\p{Cc}]*[^;\s])?$/u, 'takes a text without ; and without spaces around it')

type Settings = Pick<RuleDraft, 'times' | 'rate' | 'after' | 'seed' | 'mostInARow' | 'id'>

const count = (value: string) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined)

/** What follows the faults, by its name: how it is read. Undefined: not valid. */
const settings: Readonly<Record<string, (value: string) => Settings | undefined>> = {
  times: (value) => setting('times', value === 'unlimited' ? Number.POSITIVE_INFINITY : count(value)),
  rate: (value) =>
    setting('rate', value !== '' && Number(value) >= 0 && Number(value) <= 1 ? Number(value) : undefined),
  after: (value) => setting('after', count(value)),
  seed: (value) => setting('seed', nameInRule.safeParse(value).data),
  'in-a-row': (value) => setting('mostInARow', count(value)),
  id: (value) => setting('id', nameInRule.safeParse(value).data),
}

const setting = (name: keyof Settings, value: string | number | undefined): Settings | undefined =>
  value === undefined ? undefined : { [name]: value }

const names = Object.keys(settings)

function readSettings(texts: readonly string[]): Settings | string {
  const found: Settings[] = []
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(text) ?? []
    const read = Object.hasOwn(settings, name) ? settings[name]?.(value) : undefined
    if (!read) {
      const meant = names.includes(name) ? '' : `; ${didYouMean(name, names)}`
      return `takes times=N, rate=0..1, after=N and seed=TEXT after its faults, not "${text}"${meant}`
    }
    found.push(read)
  }
  return Object.assign({}, ...found)
}
