/** What happens to tasks and to documents alike: texts that are stored otherwise, ids that are given out again. */
import type { Mutation } from '../mutations/mutation.ts'
import { numbering } from '../mutations/organizations.ts'
import { everyNth, type Fields, rewriteSuccess } from '../mutations/reply.ts'

interface Damage {
  /** The last word of the ids of the requirements that it breaks. */
  readonly name: string
  readonly description: string
  damage(text: string): string
}

/** Ways in which a service damages a text that it should store unaltered. */
export const damages: readonly Damage[] = [
  {
    name: 'UNICODE',
    description: 'is normalized to composed characters',
    damage: (text) => text.normalize('NFC'),
  },
  {
    name: 'SPACES',
    description: 'has its inner runs of spaces shortened to one',
    damage: (text) => text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
  },
  { name: 'ENDS', description: 'loses white space at its ends', damage: (text) => text.trim() },
  {
    name: 'LINES',
    description: 'has its line ends converted to one form',
    damage: (text) => text.replaceAll('\r\n', '\n'),
  },
  { name: 'MARKUP', description: 'is escaped as HTML', damage: (text) => text.replaceAll('<', '&lt;') },
]

/** Answers some creations with the id of the one before, by the same credentials. */
export function repeatedIds(operation: 'createTask' | 'createDocument', member: string, n: number): Mutation {
  const repeats = everyNth(n)
  const last = new Map<string | null, unknown>()
  return rewriteSuccess(({ body }, { request }) => {
    const created = (body as Record<string, Fields>)[member] as Fields
    const caller = request.headers.get('authorization')
    if (repeats() && last.has(caller)) created.id = last.get(caller)
    last.set(caller, created.id)
  }, operation)
}

/** Numbers the new rows of a kind, and starts again after so many. */
export function wrapping(kind: string, after: number): Mutation {
  return numbering(kind, (org) => {
    let count = 0
    return () => `${kind}_${org.id}_${count++ % after}`
  })
}
