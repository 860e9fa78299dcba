/** §4, §7: bad and odd input is rejected or taken as it is, and what is rejected creates nothing. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { rejectedCreates, rejectedKey, rejectionOf } from '../evidence/bad-input.ts'
import { generation } from '../evidence/generations.ts'
import { requestKey } from '../evidence/keys.ts'
import { created, throwIfAbsent } from '../evidence/resources.ts'
import { isTaken } from '../evidence/runs.ts'
import { expectSpent, watchTime } from '../evidence/spending.ts'
import { deepLevels, isKept, oddJson } from '../evidence/texts.ts'
import { assumePositiveControl, assumeRead, validRequests } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumeJson,
  assumeRefused,
  expectAccepted,
  expectThat,
  orSuccess,
  refusals,
  show,
} from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'
import { declare, must, type Requirement, should } from '../harness/requirement.ts'
import type { Level } from '../harness/terms.ts'
import { type BadBody, refusedBodies } from '../model/index.ts'
import { document, type Kind, task } from './resource-kinds.ts'

interface BadInput {
  /** What is wrong, for the statement. */
  readonly fault: string
  /** Each of them is rejected; undefined: no body is sent. */
  readonly bodies: readonly unknown[]
  /** Those that not every operation is sent: each is sent to one. */
  readonly inTurn?: readonly unknown[]
}

/** What lenient parsers accept, each for the operation that requires the field. */
const almostJson: Readonly<Record<string, string>> = {
  title: '{"title": "a"} trailing',
  name: '{"name": "a",}',
  prompt: "{'prompt': 'a'}",
}

/** `field`: the one that the operation requires. */
const badBodies: Readonly<Record<BadBody, (field: string) => BadInput>> = {
  MALFORMED: (field) => ({
    fault: 'with a body that is not JSON',
    bodies: [almostJson[field] ?? '{"text": "unfinished'],
  }),
  EMPTY: () => ({ fault: 'without a body', bodies: [undefined], inTurn: [''] }),
  'NOT-OBJECT': () => ({
    fault: 'with a JSON body that is not an object',
    bodies: ['null'],
    inTurn: [['text'], [{ text: 'text', title: 'title' }], '"text"', '7', 'true'],
  }),
  MISSING: (field) => ({ fault: `without ${field}`, bodies: [{}] }),
  'WRONG-TYPE': (field) => ({
    fault: `with an object or a list for ${field}`,
    bodies: [{ [field]: { not: 'a string' } }],
    inTurn: [{ [field]: ['a', 'list'] }],
  }),
  NULL: (field) => ({ fault: `with null for ${field}`, bodies: [{ [field]: null }] }),
  SCALAR: (field) => ({
    fault: `with a number or a boolean for ${field}`,
    bodies: [],
    inTurn: [{ [field]: 42 }, { [field]: true }],
  }),
}

/** A service may have a default name for keys, and convert a number. */
const levelOf = (operation: OperationId, name: BadBody): Level =>
  name === 'SCALAR' || (operation === 'createKey' && name === 'MISSING') ? 'SHOULD' : 'MUST'

const bad = refusedBodies.flatMap(([operation, field, names], at) =>
  names.map((name) => {
    const { fault, bodies, inTurn = [] } = badBodies[name](field)
    const own = inTurn.filter((_, i) => i % 2 === at % 2)
    return { operation, name, fault, bodies: [...bodies, ...own] }
  }),
)

export const input: Requirement[] = bad.map(({ operation, name, fault, bodies }) => {
  const paid = operation === 'generateCreative'
  const byCookie = operation === 'createKey'
  return declare(levelOf(operation, name))(`INPUT-${name}-${operation}`, '§7', operation, {
    writes: true,
    retryOnViolation: paid,
    cost: paid ? 2 : 0,
    needs: byCookie ? ['session'] : [],
  })
    .states(`${operation} ${fault} is rejected as bad input: 400 or 409 invalid_request, or 422.`)
    .judged(async (t) => {
      if (operation === 'generateCreative') {
        assumeAccepted((await generation(t)).exchange)
      } else await assumePositiveControl(t, operation)
      for (const body of bodies) {
        if (paid) t.budget.allow(1)
        const send = () => (byCookie ? requestKey(t, body) : t.call(operation, { body }))
        const exchange = (await rejectionOf(t, operation, body)) ?? (await send())
        if (paid && isTaken(exchange)) t.budget.spend(1)
        if (paid) throwIfAbsent(t, exchange)
      }
    })
})

const traits = { writes: true, retryOnViolation: true } as const

/** Texts that a missing or wrong text turns into if it is stored anyway. */
const blank = new Set(['', 'undefined', 'null', '[object Object]'])

function isBlank(text: unknown): boolean {
  return typeof text === 'string' ? blank.has(text.trim()) : true
}

/** The items of a list that are not in an earlier one. */
function added(before: Exchange, after: Exchange, name?: string): unknown[] {
  const known = new Set(assumeItems(before, name).map((item) => idOf(field(item, 'id'))))
  return assumeItems(after, name).filter((item) => !known.has(idOf(field(item, 'id'))))
}

/** Requires rejected requests to create nothing, by a blank text or by as many items as nobody else creates, and to cost nothing. */
async function expectNothingCreated(
  t: TestContext,
  operation: 'createTask' | 'createDocument',
  text: string,
): Promise<void> {
  const { answers, balance, before, after, listNow } = await rejectedCreates(t, operation)
  for (const answer of answers) assumeRefused(answer, refusals.badInput)
  const foreign = (list: Exchange) => {
    const own = new Set(t.recorder.exchanges.map(createdId))
    return added(before, list).filter((item) => !own.has(idOf(field(item, 'id'))))
  }
  const others = foreign(after)
  const blanks = others.filter((item) => isBlank(field(item, text)))
  const left = blanks.length > 0 || others.length < answers.length ? blanks : others
  if (left.length > blanks.length) await assumeNobodyElse(t, after, listNow, foreign)
  expectThat(left.length === 0, 'no item created by rejected requests', show(left[0]), ...answers, after)
  await expectSpent(t, 0, balance, 'by rejected requests', ...answers)
}

/** Continues only if what others make stays as it is in a list for a while. `foreign`: the items of others. */
async function assumeNobodyElse(
  t: TestContext,
  list: Exchange,
  listNow: () => Promise<Exchange>,
  foreign: (list: Exchange) => readonly unknown[],
): Promise<void> {
  const ids = (one: Exchange) =>
    foreign(one)
      .map((item) => idOf(field(item, 'id')))
      .toSorted()
      .join()
  for (const end = t.target.now() + watchTime; t.target.now() < end; ) {
    await t.target.sleep(50)
    if (ids(assumeAccepted(await listNow())) !== ids(list))
      throw new NotExercised('somebody else uses the organization', 'an organization that nobody else uses')
  }
}

export const rejectedCreateEffects: Requirement[] = [
  must('LEFTOVER-createTask', '§7, §8.2', 'createTask', traits)
    .states('A task rejected as bad input is not created and costs nothing.')
    .check((t) => expectNothingCreated(t, 'createTask', 'text')),

  must('LEFTOVER-createDocument', '§7, §8.2', 'createDocument', traits)
    .states('A document rejected as bad input is not created and costs nothing.')
    .check((t) => expectNothingCreated(t, 'createDocument', 'title')),

  must('LEFTOVER-createKey', '§7', 'createKey', { ...traits, needs: ['session'] })
    .states('A key rejected as bad input is not created.')
    .check(async (t) => {
      const { answers, before, after } = await rejectedKey(t)
      const [exchange] = answers
      if (!exchange || isAccepted(exchange)) throw new NotExercised('an object for name is accepted')
      // A list may show the keys of earlier requests late.
      const isOwn = (key: unknown) => String(field(key, 'name')).includes(t.runId)
      const foreign = (list: Exchange) => assumeItems(list, 'keys').filter((key) => !isOwn(key))
      const left = added(before, after, 'keys').filter((key) => !isOwn(key))
      if (left.length > 0) await assumeNobodyElse(t, after, () => t.session.call('listKeys'), foreign)
      expectThat(left.length === 0, 'no key created by a rejected request', show(left[0]), exchange, after)
    }),
]

/** Refusals of odd input; which codes they have, others test. */
const badInput = orSuccess({ 400: null, 409: null, 422: null })
// A folder may have to exist.
const badQuery = { ...badInput, 404: null }

/** A JSON body in which a part of the text of each field is written in an odd way. */
const bodyWith = (part: string, fields: readonly string[], name: string) =>
  JSON.stringify(Object.fromEntries(fields.map((one) => [one, `${name} {odd} end`]))).replaceAll(
    '{odd}',
    () => part,
  )

/** The requests to create one with each odd text, and what is read of those that were accepted. */
const oddTexts = (t: TestContext, kind: Kind) =>
  t.evidence(`odd ${kind.name} texts`, async () => {
    await assumePositiveControl(t, kind.create)
    await assumeRead(t, kind.read)
    const answers: { readonly what: string; readonly exchange: Exchange; readonly read?: Exchange }[] = []
    const fields = Object.keys(kind.wholeBody(t, ''))
    for (const [what, part] of Object.entries(oddJson)) {
      const body = bodyWith(part, fields, t.name(kind.mark))
      const exchange = await t.call(kind.create, { body })
      if (!isAccepted(exchange)) answers.push({ what, exchange })
      else answers.push({ what, exchange, read: await t.call(kind.read, { id: created(t, exchange).id }) })
    }
    return answers
  })

const handlesOddTexts = (kind: Kind): Requirement[] => [
  must(`ODD-TEXT-${kind.create}`, '§4', kind.create, { writes: true, exclusive: true })
    .states(
      `${kind.create} with NUL, a lone surrogate or a byte that is not UTF-8 in its ${kind.textName} is accepted or rejected as bad input, and what it creates is read without a failure.`,
    )
    .refused(badInput, async (t) => {
      const answers = await oddTexts(t, kind)
      // Whether it is found at all, other requirements test.
      for (const { exchange, read } of answers) if (read && read.status >= 500) expectAccepted(read, exchange)
      return answers.map(({ exchange }) => exchange)
    }),

  should(`ODD-TEXT-KEPT-${kind.create}`, '§2, §4', kind.create, { writes: true, exclusive: true })
    .states(
      `${kind.create} stores a ${kind.textName} with NUL, a lone surrogate or a byte that is not UTF-8 as it is, or rejects it.`,
    )
    .check(async (t) => {
      for (const { what, exchange, read } of await oddTexts(t, kind)) {
        if (!read || !isAccepted(read)) continue
        const sent = field(JSON.parse(exchange.requestBody ?? ''), kind.text)
        const stored = field(assumeJson(read).json, kind.member, kind.text)
        expectThat(
          isKept(stored, String(sent)),
          `${what} kept or rejected: ${show(sent)}`,
          show(stored),
          exchange,
          read,
        )
      }
    }),
]

/** A value that is nested many levels deep, as JSON. */
const deep = `${'['.repeat(deepLevels)}${']'.repeat(deepLevels)}`

const handlesDepth = (kind: Kind): Requirement =>
  must(`DEEP-BODY-${kind.create}`, '§4', kind.create, { writes: true })
    .states(`${kind.create} with a deeply nested body is accepted, or rejected as bad input.`)
    .refused(badInput, async (t) => {
      await assumePositiveControl(t, kind.create)
      const known = JSON.stringify(kind.body(t)).slice(0, -1)
      const bodies = [`${known},"nested":${deep}}`, ...(kind === task ? [deep] : [])]
      return Promise.all(bodies.map((body) => t.call(kind.create, { body })))
    })

/** Values that the optional fields of a document rarely have. */
const oddFields: readonly unknown[] = [{ not: 'a string' }, 'NUL \0 and half a pair \ud800']

const handlesOddFields = must('ODD-FIELDS-createDocument', '§4', 'createDocument', {
  writes: true,
  exclusive: true,
})
  .states(
    'createDocument with objects, or with NUL and lone surrogates, in its optional fields is accepted, or rejected as bad input.',
  )
  .refused(badQuery, async (t) => {
    await assumePositiveControl(t, 'createDocument')
    const answers: Exchange[] = []
    for (const odd of oddFields) {
      const body = { title: t.name('Document'), summary: odd, kind: odd, folder_id: odd }
      answers.push(await t.call('createDocument', { body }))
    }
    return answers
  })

type Pair = readonly [name: string, value: string]

/** The query in which each parameter is sent twice. */
const repeated: Readonly<
  Record<'listDocuments' | 'getInsights', (t: TestContext) => Promise<readonly Pair[]>>
> = {
  listDocuments: async () => [
    ['folder_id', 'a'],
    ['folder_id', 'b'],
    ['all', '1'],
    ['all', '1'],
  ],
  async getInsights(t) {
    const { query = {} } = await validRequests.getInsights(t)
    const range = String(new URLSearchParams(Object.entries(query)).get('range') ?? 'last_30d')
    return [
      ['range', range],
      ['range', range],
    ]
  },
}

const handlesRepeats = (operation: keyof typeof repeated): Requirement =>
  must(`QUERY-TWICE-${operation}`, '§4', operation)
    .states(`${operation} with a parameter that is sent twice is accepted, or rejected as bad input.`)
    .refused(badQuery, async (t) => {
      await assumePositiveControl(t, operation)
      return [await t.call(operation, { query: await repeated[operation](t) })]
    })

const handlesBadEncoding = must('QUERY-MALFORMED-listDocuments', '§4', 'listDocuments')
  .states(
    'listDocuments with a query that cannot be decoded is accepted, or rejected as bad input, or refused by the server in front of it.',
  )
  .refused(badQuery, async (t) => {
    await assumePositiveControl(t, 'listDocuments')
    return [await t.call('listDocuments', { query: 'folder_id=%ff&all=%' })]
  })

export const oddInput: Requirement[] = [
  handlesBadEncoding,
  handlesRepeats('listDocuments'),
  handlesRepeats('getInsights'),
  handlesDepth(task),
  handlesDepth(document),
  ...handlesOddTexts(task),
  ...handlesOddTexts(document),
  handlesOddFields,
]
