/** What tasks and documents have in common: they are read by a unique id, and listed. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf, items } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { readCredits } from '../evidence/credits.ts'
import { acceptedIn, requestUnknown } from '../evidence/ids.ts'
import { listWith } from '../evidence/late-effects.ts'
import { assumeRead } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import { documentedFirst, expectListed, expectRefused, refusals } from '../harness/expect.ts'
import { must, type Requirement, type Traits } from '../harness/requirement.ts'
import type { Kind } from './resource-kinds.ts'
import { oddIdsRead } from './texts.ts'

export const writes = { writes: true } as const

/** Alone, since a list may be capped: what was just created must be the newest item. */
export const listing = { ...writes, alone: true, quiet: true } as const

/** One of a kind, created when there are many, and the first list that contains it. */
export const newest = (t: TestContext, { name, create, list, all, make }: Kind) =>
  t.evidence(`newest ${name}`, async () => {
    const created = new Set(acceptedIn(t, create).map(createdId))
    const listed = acceptedIn(t, list).flatMap((one) => items(one).map((item) => idOf(field(item, 'id'))))
    const missing = Math.max(
      0,
      many.listed - created.union(new Set(listed)).size,
      many.created - created.size,
    )
    await Promise.all(Array.from({ length: missing }, () => make(t)))
    const { id } = await make(t)
    return { id, list: await listWith(t, list, id, all) }
  })

/** More items than short lists show at a time, and more creations than short counters of ids have numbers. */
const many = { listed: 34, created: 31 } as const

/** Tested last. */
export const newestListed = (kind: Kind): Requirement => {
  const { prefix, name, list, allName } = kind
  return must(`${prefix}-LISTED-LAST`, '§4', list, listing)
    .states(`${allName} contains the newest ${name} even if there are many ${name}s.`)
    .check(async (t) => {
      const seen = await newest(t, kind)
      expectListed(seen.list, seen.id, `new ${name}`)
    })
}

export const refusesOddIds = ({ prefix, name, read }: Kind): Requirement =>
  must(`${prefix}-ODD-ID`, '§7', read, writes)
    .states(`Reading a ${name} with an unusual id, percent-encoded, returns not found or bad input.`)
    .check(async (t) => {
      await assumeRead(t, read)
      const answers = await Promise.all(oddIdsRead.map((id) => t.call(read, { id })))
      for (const exchange of documentedFirst(answers)) expectRefused(exchange, refusals.notFoundOrBadInput)
    })

/** The response to an id that does not exist, after an existing one was read. */
export const unknownRequest = (t: TestContext, operation: OperationId, { read, shared }: Kind) =>
  t.evidence(`unknown ${operation}`, async () => {
    const { id } = await shared(t)
    await assumeRead(t, read)
    return requestUnknown(id, (unknown) => t.call(operation, { id: unknown }))
  })

/** An operation refuses an id that does not exist; an existing one is read first. */
export const refusesUnknownId = (
  id: string,
  operation: OperationId,
  kind: Kind,
  traits: Traits = {},
): Requirement =>
  must(id, '§7', operation, { ...writes, ...traits })
    .states(`${operation} with an unknown ${kind.name} id returns 404 not_found.`)
    .check(async (t) => {
      const exchange = await unknownRequest(t, operation, kind)
      if (exchange.status === 402 && (await readCredits(t)) < 1)
        throw new NotExercised('there is no credit for a run, and the service checks that first')
      expectRefused(exchange, refusals.notFound)
    })
