/** §4, §7: bad input is rejected, and what is rejected creates nothing. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, idAsText, isRunAccepted, valueAtPath } from '#traffic/exchange.ts'
import { DisturbedByOthers, NotExercised } from '../client/check-errors.ts'
import {
  findEarlierRejection,
  sendRejectedCreations,
  sendRejectedKeyCreation,
} from '../fixtures/bad-input.ts'
import { requestFirstGeneration } from '../fixtures/generations.ts'
import { requestKeyCreation } from '../fixtures/keys.ts'
import { assumeRouteOffered } from '../fixtures/resources.ts'
import { balanceWatchMs, expectSpent } from '../fixtures/spending.ts'
import { isStoredUnaltered } from '../fixtures/texts.ts'
import { assumePositiveControl } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumeRefused,
  documentedRefusals,
  expectThat,
  shortJson,
} from '../harness/expect.ts'
import { createdIdIn, ruleAnchorOfOperation } from '../harness/operations.ts'
import { declareRequirement, must, type Requirement } from '../harness/requirement.ts'
import type { RequirementLevel } from '../harness/terms.ts'
import { type BadBodyKind, isAllowedRefusal, refusedBodyKinds } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'

interface BadInput {
  /** Mistake in words, for the statement. */
  readonly fault: string
  /** Bodies that must each be refused; undefined: no body is sent. */
  readonly bodies: readonly unknown[]
  /** Further bad bodies, spread over the operations: each operation is sent only some. */
  readonly inTurn?: readonly unknown[]
}

/** By the field that an operation requires: further bodies that are not JSON and that lenient parsers accept. */
const almostJson: Readonly<Record<string, readonly string[]>> = {
  text: ['{"text": "unfinished'],
  name: ['{"name": "a",}'],
  prompt: ["{'prompt': 'a'}"],
}

/** A JSON object with text behind it, which a streaming parser may leave unread. */
const withMore = (field: string) => `{"${field || 'business_name'}": "a"} trailing`

/** The bad bodies of each kind. `field`: the name of the field that the operation requires. */
const badBodies: Readonly<Record<BadBodyKind, (field: string) => BadInput>> = {
  MALFORMED: (field) => ({
    fault: 'with a body that is not JSON',
    bodies: [withMore(field), ...(almostJson[field] ?? [])],
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
  CASE: (field) => ({
    fault: `with ${field} under a name in capitals`,
    bodies: [{ [field.toUpperCase()]: 'Capitals' }],
  }),
  SCALAR: (field) => ({
    fault: `with a number or a boolean for ${field}`,
    bodies: [],
    inTurn: [{ [field]: 42 }, { [field]: true }],
  }),
}

/** The level: a service may have a default name for keys, convert a number, and read field names in any case. */
const levelOf = (operation: OperationId, name: BadBodyKind): RequirementLevel =>
  name === 'SCALAR' || name === 'CASE' || (operation === 'createKey' && name === 'MISSING')
    ? 'SHOULD'
    : 'MUST'

const bad = refusedBodyKinds.flatMap(([operation, field, names], at) =>
  names.map((name) => {
    const { fault, bodies, inTurn = [] } = badBodies[name](field)
    const own = inTurn.filter((_, i) => i % 2 === at % 2)
    return { operation, name, fault, bodies: [...bodies, ...own] }
  }),
)

/** Rules about bodies that are not JSON objects of known names, and about the fields of a document. */
const formRules = (operation: OperationId, name: BadBodyKind): readonly RuleAnchor[] => [
  ...(['MALFORMED', 'EMPTY', 'NOT-OBJECT', 'CASE'].includes(name) ? (['json-only'] as const) : []),
  ...(operation === 'createDocument' ? (['document-input'] as const) : []),
]

/** Requirements: bodies with missing, wrong or malformed fields are refused. */
export const invalidBodyRequirements: Requirement[] = bad.map(({ operation, name, fault, bodies }) => {
  const paid = operation === 'generateCreative'
  const byCookie = operation === 'createKey'
  return declareRequirement(levelOf(operation, name))(
    `INPUT-${name}-${operation}` as RequirementId,
    '§7',
    operation,
    {
      writes: true,
      retryOnViolation: paid,
      cost: paid ? 2 : 0,
      needs: byCookie ? ['session'] : [],
    },
  )
    .tests(
      'error-invalid-request',
      'status-400',
      'status-422',
      ruleAnchorOfOperation(operation),
      ...formRules(operation, name),
    )
    .states(`${operation} ${fault} is rejected as bad input: 400 or 409 invalid_request, or 422.`)
    .judged(async (t) => {
      if (operation === 'generateCreative') {
        assumeAccepted((await requestFirstGeneration(t)).exchange)
      } else await assumePositiveControl(t, operation)
      for (const body of bodies) {
        if (paid) t.budget.allow(1)
        const send = () => (byCookie ? requestKeyCreation(t, body) : t.call(operation, { body }))
        const exchange = (await findEarlierRejection(t, operation, body)) ?? (await send())
        if (paid && isRunAccepted(exchange)) t.budget.spend(1)
        if (paid) assumeRouteOffered(t, exchange)
      }
    })
})

/** Bodies of other media types, as HTML forms and careless clients send them. */
const otherTypes: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', 'text=a&title=a'],
  [
    'multipart/form-data; boundary=part',
    ['text', 'title']
      .map((name) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\na\r\n`)
      .concat('--part--\r\n')
      .join(''),
  ],
  ['text/plain', 'a'],
]

/** Requirements: bodies of another media type than JSON are refused. */
export const mediaTypeRequirements: Requirement[] = [
  must('INPUT-TYPE-createTask', '§4', 'createTask', { writes: true })
    .tests('json-only', 'create-task', 'error-invalid-request', 'status-400', 'status-422')
    .states('createTask with a form or a plain text in place of JSON is rejected: as bad input, or with 415.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'createTask')
      const send = ([type, body]: (typeof otherTypes)[number]) =>
        t.call('createTask', { body, headers: { 'content-type': type } })
      return Promise.all(otherTypes.map(send))
    }, 'exchange'),

  must('ODD-TYPE-createTask', '§4', 'createTask', { writes: true })
    .tests('media-types', 'create-task')
    .states(
      'createTask with JSON that is called a plain text is accepted, or rejected as bad input or with 415.',
    )
    .judged(async (t) => {
      await assumePositiveControl(t, 'createTask')
      const body = JSON.stringify({ text: t.name('Task') })
      return [await t.call('createTask', { body, headers: { 'content-type': 'text/plain' } })]
    }, 'exchange'),

  must('ODD-ACCEPT-whoami', '§4', 'whoami')
    .tests('media-types', 'whoami')
    .states('whoami with an Accept header for XML alone is accepted, or rejected with 406.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      return [await t.call('whoami', { headers: { accept: 'application/xml' } })]
    }, 'exchange'),
]

const traits = { writes: true, retryOnViolation: true } as const

/** Texts that a missing or wrong text turns into if it is stored anyway. */
const blank = new Set(['', 'undefined', 'null', '[object Object]'])

function isBlank(text: unknown): boolean {
  return typeof text === 'string' ? blank.has(text.trim()) : true
}

/** The items of a list that are not in an earlier one. */
function added(before: Exchange, after: Exchange, name?: string): unknown[] {
  const known = new Set(assumeItems(before, name).map((item) => idAsText(valueAtPath(item, 'id'))))
  return assumeItems(after, name).filter((item) => !known.has(idAsText(valueAtPath(item, 'id'))))
}

/**
 * Requires rejected requests to cost nothing and to create no item: none with a blank text, and not one for each
 * request.
 */
async function expectNothingCreated(
  t: TestContext,
  operation: 'createTask' | 'createDocument',
  text: string,
): Promise<void> {
  const { answers, titled, balance, before, after, listNow } = await sendRejectedCreations(t, operation)
  for (const answer of answers) assumeRefused(answer, documentedRefusals.badInput)
  const foreign = (list: Exchange) => {
    const own = new Set(t.recorder.exchanges.map(createdIdIn))
    return added(before, list).filter((item) => !own.has(idAsText(valueAtPath(item, 'id'))))
  }
  const others = foreign(after)
  const blanks = others.filter((item) => isBlank(valueAtPath(item, text)))
  const left = blanks.length > 0 || others.length < answers.length ? blanks : others
  if (left.length > blanks.length) await assumeNobodyElse(t, after, listNow, foreign)
  expectThat(left.length === 0, 'no item created by rejected requests', shortJson(left[0]), ...answers, after)
  for (const { title, answer } of titled.filter((one) =>
    isAllowedRefusal(one.answer, documentedRefusals.badInput),
  )) {
    const item = assumeItems(after).find((one) => isStoredUnaltered(valueAtPath(one, 'title'), title))
    expectThat(item === undefined, 'no item created by the rejected request', shortJson(item), answer, after)
  }
  await expectSpent(t, 0, balance, 'by rejected requests', ...answers)
}

/** Continues only if a list keeps its items of other clients for a while. `foreign`: picks these items. */
async function assumeNobodyElse(
  t: TestContext,
  list: Exchange,
  listNow: () => Promise<Exchange>,
  foreign: (list: Exchange) => readonly unknown[],
): Promise<void> {
  const ids = (one: Exchange) =>
    foreign(one)
      .map((item) => idAsText(valueAtPath(item, 'id')))
      .toSorted()
      .join()
  for (const end = t.target.now() + balanceWatchMs; t.target.now() < end; ) {
    await t.target.sleep(50)
    if (ids(assumeAccepted(await listNow())) !== ids(list))
      throw new DisturbedByOthers('somebody else uses the organization')
  }
}

/** Requirements: a rejected creation creates nothing. */
export const rejectedCreationRequirements: Requirement[] = [
  must('LEFTOVER-createTask', '§7, §8.2', 'createTask', traits)
    .tests('create-task', 'error-invalid-request', 'prices')
    .states('A task rejected as bad input is not created and costs nothing.')
    .experiment('absence', (t) => expectNothingCreated(t, 'createTask', 'text')),

  must('LEFTOVER-createDocument', '§7, §8.2', 'createDocument', traits)
    .tests('create-document', 'error-invalid-request', 'prices')
    .states('A document rejected as bad input is not created and costs nothing.')
    .experiment('absence', (t) => expectNothingCreated(t, 'createDocument', 'title')),

  must('LEFTOVER-createKey', '§7', 'createKey', { ...traits, needs: ['session'] })
    .tests('create-key', 'error-invalid-request', 'prices')
    .states('A key rejected as bad input is not created.')
    .experiment('absence', async (t) => {
      const { answers, before, after } = await sendRejectedKeyCreation(t)
      const [exchange] = answers
      if (!exchange || hasSuccessStatus(exchange)) throw new NotExercised('an object for name is accepted')
      // A list may show the keys of earlier requests late.
      const isOwn = (key: unknown) => String(valueAtPath(key, 'name')).includes(t.runId)
      const foreign = (list: Exchange) => assumeItems(list, 'keys').filter((key) => !isOwn(key))
      const left = added(before, after, 'keys').filter((key) => !isOwn(key))
      if (left.length > 0) await assumeNobodyElse(t, after, () => t.session.call('listKeys'), foreign)
      expectThat(
        left.length === 0,
        'no key created by a rejected request',
        shortJson(left[0]),
        exchange,
        after,
      )
    }),
]
