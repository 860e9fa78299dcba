/** `[OPERATION=]FAULT,FAULT,…[;times=N][;rate=R][;after=N][;seed=S]`: a rule in one line, for flags and keys. */
import { isOperationId, operationIds } from '#contract/operation.ts'
import { failureFor } from './force.ts'
import { type Instruction, instructionText, parseInstruction, vocabulary } from './instruction.ts'
import type { RuleDraft } from './rule.ts'

/** Reads a rule, or answers in a few words what is wrong with it. */
export function parseRule(text: string): RuleDraft | string {
  const [head = '', ...settings] = text.split(';').map((part) => part.trim())
  const [, operation, list = ''] = /^(?:(\w+)=)?(.*)$/.exec(head) ?? []
  if (operation !== undefined && !isOperationId(operation)) {
    return `knows no operation "${operation}"; the operations are ${operationIds.join(', ')}`
  }
  const faults: Instruction[] = []
  for (const word of list.split(',')) {
    const instruction = parseInstruction(word)
    if (!instruction) return `knows no fault "${word.trim()}"; the faults are ${vocabulary.join(', ')}`
    faults.push(instruction)
  }
  const numbers = readSettings(settings)
  if (typeof numbers === 'string') return numbers
  return checkRule({ operation, faults, ...numbers }) ?? { operation, faults, ...numbers }
}

/** What a rule asks for that cannot be; undefined: nothing. */
export function checkRule({ operation, faults }: RuleDraft): string | undefined {
  if (faults.length === 0) return 'takes at least one fault'
  for (const fault of operation === undefined ? [] : faults) {
    if (fault.kind !== 'error' || failureFor(operation as never, fault.code)) continue
    const able = operationIds.filter((id) => failureFor(id, fault.code))
    return `cannot make ${operation} answer ${instructionText(fault)}; it is an answer of ${able.join(', ')}`
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
