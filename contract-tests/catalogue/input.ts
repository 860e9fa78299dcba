/** §7: bad input is rejected with a documented error, each time after a positive control. */

import { generation } from '../evidence/creatives.ts'
import { requestKey } from '../evidence/keys.ts'
import { rejectionOf } from '../evidence/rejected-creates.ts'
import { throwIfAbsent } from '../evidence/resources.ts'
import { isTaken } from '../evidence/runs.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { assumeAccepted, expectRefused, refusals } from '../harness/expect.ts'
import type { FreeOperation } from '../harness/operation-groups.ts'
import { declare, type Requirement } from '../harness/requirement.ts'
import type { Level } from '../harness/terms.ts'

interface BadInput {
  readonly name: string
  /** What is wrong, for the statement. */
  readonly fault: string
  /** Each of them is rejected; undefined: no body is sent. */
  readonly bodies: readonly unknown[]
}

const malformed: BadInput = {
  name: 'MALFORMED',
  fault: 'with a body that is not JSON',
  bodies: ['{"text": "unfinished'],
}
const empty: BadInput = { name: 'EMPTY', fault: 'without a body', bodies: [undefined, ''] }
const notObject: BadInput = {
  name: 'NOT-OBJECT',
  fault: 'with a JSON body that is not an object',
  bodies: [['text'], [{ text: 'text', title: 'title' }], 'null', '"text"', '7', 'true'],
}
const without = (field: string): BadInput => ({ name: 'MISSING', fault: `without ${field}`, bodies: [{}] })
const none = (field: string): BadInput => ({
  name: 'NULL',
  fault: `with null for ${field}`,
  bodies: [{ [field]: null }],
})
const scalar = (field: string): BadInput => ({
  name: 'SCALAR',
  fault: `with a number or a boolean for ${field}`,
  bodies: [{ [field]: 42 }, { [field]: true }],
})
const wrong = (field: string): BadInput => ({
  name: 'WRONG-TYPE',
  fault: `with an object or a list for ${field}`,
  bodies: [{ [field]: { not: 'a string' } }, { [field]: ['a', 'list'] }],
})

/** The bad input for each operation with a body. A service may have a default name for keys, hence SHOULD. */
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

export const input: Requirement[] = bad.map(([operation, level, { name, fault, bodies }]) => {
  const paid = operation === 'generateCreative'
  const byCookie = operation === 'createKey'
  return declare(level)(`INPUT-${name}-${operation}`, '§7', operation, {
    writes: true,
    alone: paid,
    quiet: paid,
    cost: paid ? 2 : 0,
    needs: byCookie ? ['session'] : [],
  })
    .states(`${operation} ${fault} is rejected as bad input: 400 or 409 invalid_request, or 422.`)
    .check(async (t) => {
      if (operation === 'generateCreative') {
        assumeAccepted((await generation(t)).exchange)
      } else await assumePositiveControl(t, operation)
      for (const body of bodies) {
        if (paid) t.budget.allow(1)
        const send = () => (byCookie ? requestKey(t, body) : t.call(operation, { body }))
        const exchange = (await rejectionOf(t, operation, body)) ?? (await send())
        if (paid && isTaken(exchange)) t.budget.spend(1)
        if (paid) throwIfAbsent(t, exchange)
        expectRefused(exchange, refusals.badInput)
      }
    })
})
