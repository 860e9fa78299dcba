/** Parses fault rules in flags and keys: `[OPERATION=]FAULT,FAULT,…[;times=N][;rate=R][;after=N][;seed=S]`. */
import { isOperationId, operationIds } from '#contract/operation.ts'
import { didYouMean } from '../core/suggestion.ts'
import { problemOfInstruction } from './fault-words.ts'
import { type Instruction, parseInstruction, problemOn } from './instruction.ts'
import type { RuleDraft } from './rule.ts'

/** Parses a rule, or returns the error as text that completes "A fault rule …". */
export function parseRule(text: string): RuleDraft | string {
  const [head = '', ...settings] = text.split(';').map((part) => part.trim())
  const [, operation, list = ''] = /^(?:(\w+)=)?(.*)$/.exec(head) ?? []
  if (operation !== undefined && !isOperationId(operation)) return unknownOperation(operation)
  const faults: Instruction[] = []
  for (const word of list.split(',')) {
    const instruction = parseInstruction(word)
    if (!instruction) return problemOfInstruction(word)
    faults.push(instruction)
  }
  const numbers = readSettings(settings)
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

type Numbers = Pick<RuleDraft, 'times' | 'rate' | 'after' | 'seed'>

const names = ['times', 'rate', 'after', 'seed'] as const

function readSettings(settings: readonly string[]): Numbers | string {
  const numbers: { times?: number; rate?: number; after?: number; seed?: string } = {}
  for (const setting of settings) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(setting) ?? []
    const n = value === '' ? Number.NaN : Number(value)
    if (name === 'seed' && value !== '') numbers.seed = value
    else if (name === 'rate' && n >= 0 && n <= 1) numbers.rate = n
    else if ((name === 'times' || name === 'after') && Number.isInteger(n) && n >= 0) numbers[name] = n
    else {
      const meant = names.find((one) => one === name) ? '' : `; ${didYouMean(name, names)}`
      return `takes times=N, rate=0..1, after=N and seed=TEXT after its faults, not "${setting}"${meant}`
    }
  }
  return numbers
}
