/** §7: input that cannot be accepted is refused with an error of the table, each beside an accepted twin. */
import { type FreeOperation, throwIfAbsent, twin } from '../evidence/calls.ts'
import { generation } from '../evidence/creatives.ts'
import { requestKey } from '../evidence/keys.ts'
import { isTaken } from '../evidence/runs.ts'
import { expectRefused, needAccepted, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import type { Level } from '../harness/terms.ts'

interface BadInput {
  readonly name: string
  readonly says: string
  /** Each of them is refused; undefined: none is sent. */
  readonly bodies: readonly unknown[]
}

const malformed: BadInput = {
  name: 'MALFORMED',
  says: 'with a body that is not JSON',
  bodies: ['{"text": "unfinished'],
}
const empty: BadInput = { name: 'EMPTY', says: 'without a body', bodies: [undefined, ''] }
const notObject: BadInput = {
  name: 'NOT-OBJECT',
  says: 'with a JSON body that is not an object',
  bodies: [['text'], [{ text: 'text', title: 'title' }], 'null', '"text"', '7', 'true'],
}
const without = (field: string): BadInput => ({ name: 'MISSING', says: `without ${field}`, bodies: [{}] })
const none = (field: string): BadInput => ({
  name: 'NULL',
  says: `with null for ${field}`,
  bodies: [{ [field]: null }],
})
const scalar = (field: string): BadInput => ({
  name: 'SCALAR',
  says: `with a number or a boolean for ${field}`,
  bodies: [{ [field]: 42 }, { [field]: true }],
})
const wrong = (field: string): BadInput => ({
  name: 'WRONG-TYPE',
  says: `with an object or a list for ${field}`,
  bodies: [{ [field]: { not: 'a string' } }, { [field]: ['a', 'list'] }],
})

/** What each operation with a body is asked wrongly. A default for the name of a key would be legitimate. */
const bad: readonly (readonly [FreeOperation | 'generateCreative', Level, BadInput])[] = [
  ['createTask', 'MUST', malformed],
  ['createTask', 'MUST', empty],
  ['createTask', 'MUST', notObject],
  ['createTask', 'MUST', without('text')],
  ['createTask', 'MUST', wrong('text')],
  ['createTask', 'MUST', none('text')],
  ['createTask', 'SHOULD', scalar('text')],
  ['createDocument', 'MUST', malformed],
  ['createDocument', 'MUST', empty],
  ['createDocument', 'MUST', notObject],
  ['createDocument', 'MUST', without('title')],
  ['createDocument', 'MUST', wrong('title')],
  ['createDocument', 'MUST', none('title')],
  ['createDocument', 'SHOULD', scalar('title')],
  ['createKey', 'MUST', malformed],
  ['createKey', 'SHOULD', without('name')],
  ['createKey', 'MUST', wrong('name')],
  ['createKey', 'SHOULD', scalar('name')],
  ['createLandingPage', 'MUST', malformed],
  ['generateCreative', 'MUST', malformed],
  ['generateCreative', 'MUST', without('prompt')],
  ['generateCreative', 'MUST', wrong('prompt')],
  ['generateCreative', 'MUST', none('prompt')],
]

export const input: Requirement[] = bad.map(([operation, level, { name, says, bodies }]) => {
  const paid = operation === 'generateCreative'
  const byCookie = operation === 'createKey'
  return probe(
    `INPUT-${name}-${operation}`,
    level,
    '§7',
    operation,
    `${operation} ${says} is refused as bad input: 400 or 409 invalid_request, or 422.`,
    async (t) => {
      if (operation === 'generateCreative') {
        needAccepted((await generation(t)).exchange)
      } else await twin(t, operation)
      for (const body of bodies) {
        if (paid) t.budget.allow(1)
        const exchange = byCookie ? await requestKey(t, body) : await t.call(operation, { body })
        if (paid && isTaken(exchange)) t.budget.spend(1)
        if (paid) throwIfAbsent(t, operation, exchange)
        expectRefused(exchange, refusals.badInput)
      }
    },
    { writes: true, alone: paid, quiet: paid, cost: paid ? 2 : 0, needs: byCookie ? ['session'] : [] },
  )
})
