/** Parses rules written as `[OPERATION=]FAULT,FAULT,…[;times=N][;rate=R][;after=N][;seed=S]` in flags and keys. */
import { isOperationId, operationIds } from '#contract/operation.ts'
import { failureFor } from './force.ts'
import { type Instruction, instructionText, parseInstruction, vocabulary } from './instruction.ts'
import type { RuleDraft } from './rule.ts'

/** Parses a rule, or returns the error as text that completes "A fault rule …". */
export function parseRule(text: string): RuleDraft | string {
  const [head = '', ...settings] = text.split(';').map((part) => part.trim())
  const [, operation, list = ''] = /^(?:(\w+)=)?(.*)$/.exec(head) ?? []
  if (operation !== undefined && !isOperationId(operation)) {
    return `does not know the operation "${operation}"; the operations are ${operationIds.join(', ')}`
  }
  const faults: Instruction[] = []
  for (const word of list.split(',')) {
    const instruction = parseInstruction(word)
    if (!instruction)
      return `does not know the fault "${word.trim()}"; the faults are ${vocabulary.join(', ')}`
    faults.push(instruction)
  }
  const numbers = readSettings(settings)
  if (typeof numbers === 'string') return numbers
  return checkRule({ operation, faults, ...numbers }) ?? { operation, faults, ...numbers }
}

/** Returns why a rule is invalid, as text that completes "A fault rule …"; undefined: it is valid. */
export function checkRule({ operation, faults }: RuleDraft): string | undefined {
  if (faults.length === 0) return 'needs at least one fault'
  for (const fault of operation === undefined ? [] : faults) {
    if (fault.kind !== 'error' || failureFor(operation as never, fault.code)) continue
    const able = operationIds.filter((id) => failureFor(id, fault.code))
    return `cannot make ${operation} return ${instructionText(fault)}; only ${able.join(', ')} can return it`
  }
  return undefined
}

type Numbers = Pick<RuleDraft, 'times' | 'rate' | 'after' | 'seed'>

function readSettings(settings: readonly string[]): Numbers | string {
  const numbers: { times?: number; rate?: number; after?: number; seed?: string } = {}
  for (const setting of settings) {
    const [name = '', value = ''] = setting.split('=')
    const n = value === '' ? Number.NaN : Number(value)
    if (name === 'seed') numbers.seed = value
    else if (name === 'rate' && n >= 0 && n <= 1) numbers.rate = n
    else if ((name === 'times' || name === 'after') && Number.isInteger(n) && n >= 0) numbers[name] = n
    else return `takes times=N, rate=0..1, after=N and seed=TEXT after its faults, not "${setting}"`
  }
  return numbers
}
