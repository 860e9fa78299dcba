/** §4, §7: input that a service may accept or refuse, but must answer. */

import { type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import { assumeUniqueCreation } from '../fixtures/resources.ts'
import { deepNestingLevels, jsonWithRawField, malformedJsonPieces } from '../fixtures/texts.ts'
import {
  assumePositiveControl,
  assumeSharedResourceRead,
  validRequestPreparers,
} from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { ruleAnchorOfOperation } from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import {
  createResourceWithForeignFields,
  documentKindDefinition,
  type ResourceKindDefinition,
  taskKindDefinition,
} from './resource-kinds.ts'

/** A JSON body whose fields each contain `part`, a piece of oddly written JSON. */
const bodyWith = (part: string, fields: readonly string[], name: string) =>
  JSON.stringify(Object.fromEntries(fields.map((one) => [one, `${name} {odd} end`]))).replaceAll(
    '{odd}',
    () => part,
  )

/** The creations of one resource with each odd text, and the reading of each that was accepted. */
const oddTexts = (t: TestContext, kind: ResourceKindDefinition) =>
  t.evidence(`odd ${kind.name} texts`, async () => {
    await assumePositiveControl(t, kind.create)
    await assumeSharedResourceRead(t, kind.read)
    const answers: Exchange[] = []
    const fields = Object.keys(kind.wholeBody(t, ''))
    for (const part of malformedJsonPieces) {
      const exchange = await t.call(kind.create, { body: bodyWith(part, fields, t.name(kind.tag)) })
      answers.push(exchange)
      if (hasSuccessStatus(exchange))
        answers.push(await t.call(kind.read, { id: assumeUniqueCreation(t, exchange).id }))
    }
    return answers
  })

const oddTextTraits = { writes: true, exclusive: true } as const

const handlesOddTexts = (kind: ResourceKindDefinition): Requirement[] => [
  must(`ODD-TEXT-${kind.create}`, '§4', kind.create, { ...oddTextTraits, retryOnViolation: true })
    .tests('odd-input', 'malformed-input', ruleAnchorOfOperation(kind.create))
    .explains(...(kind.create === 'createDocument' ? (['ODD-FIELDS-createDocument'] as const) : []))
    .states(
      `${kind.create} with NUL, a lone surrogate or a byte that is not UTF-8 in its ${kind.textName} is accepted or rejected as bad input, and what it creates is read without a failure.`,
    )
    .judged((t) => oddTexts(t, kind), 'exchange'),

  should(`ODD-TEXT-KEPT-${kind.create}`, '§2, §4', kind.create, oddTextTraits)
    .tests('texts-kept', 'odd-input', 'malformed-input', ruleAnchorOfOperation(kind.create))
    .states(
      `${kind.create} stores a ${kind.textName} with NUL, a lone surrogate or a byte that is not UTF-8 as it is, or rejects it.`,
    )
    .judged((t) => oddTexts(t, kind), 'exchange'),
]

/** A value that is nested many levels deep, as JSON. */
const deep = `${'['.repeat(deepNestingLevels)}${']'.repeat(deepNestingLevels)}`

const handlesDepth = (kind: ResourceKindDefinition): Requirement =>
  must(`DEEP-BODY-${kind.create}`, '§4', kind.create, { writes: true })
    .tests('odd-input', ruleAnchorOfOperation(kind.create))
    .states(`${kind.create} with a deeply nested body is accepted, or rejected as bad input.`)
    .judged(async (t) => {
      await assumePositiveControl(t, kind.create)
      const bodies = [
        jsonWithRawField(kind.body(t), 'nested', deep),
        ...(kind === taskKindDefinition ? [deep] : []),
      ]
      return Promise.all(bodies.map((body) => t.call(kind.create, { body })))
    }, 'exchange')

const handlesForeignFields = must('ODD-FIELDS-createTask', '§4', 'createTask', {
  writes: true,
  exclusive: true,
})
  .tests('odd-input', 'create-task')
  .states('createTask with fields that a creation does not have is accepted, or rejected as bad input.')
  .judged(async (t) => {
    await assumePositiveControl(t, 'createTask')
    return createResourceWithForeignFields(t, taskKindDefinition)
  }, 'exchange')

/** Values that the optional fields of a document rarely have. */
const oddFields: readonly unknown[] = [{ not: 'a string' }, 'NUL \0 and half a pair \ud800']

const handlesOddFields = must('ODD-FIELDS-createDocument', '§4', 'createDocument', {
  writes: true,
  exclusive: true,
})
  .tests('odd-input', 'malformed-input', 'create-document')
  .states(
    'createDocument with objects, or with NUL and lone surrogates, in its optional fields, or with others, is accepted, or rejected as bad input.',
  )
  .judged(async (t) => {
    await assumePositiveControl(t, 'createDocument')
    const answers: Exchange[] = []
    for (const odd of oddFields) {
      const body = { title: t.name('Document'), summary: odd, kind: odd, folder_id: odd }
      answers.push(await t.call('createDocument', { body }))
    }
    return [...answers, ...(await createResourceWithForeignFields(t, documentKindDefinition))]
  }, 'exchange')

type Pair = readonly [name: string, value: string]

/** Query parameters that some frameworks merge into one name as a text, a list and an object. */
const nested: readonly Pair[] = [
  ['folder_id', 'a'],
  ['folder_id[]', 'b'],
  ['folder_id[c]', 'd'],
]

/** By operation: queries that repeat parameters; in the last query, each parameter occurs twice. */
const repeated: Readonly<
  Record<'listDocuments' | 'getInsights', (t: TestContext) => Promise<readonly (readonly Pair[])[]>>
> = {
  listDocuments: async () => [
    nested,
    [
      ['folder_id', 'a'],
      ['folder_id', 'b'],
      ['all', '1'],
      ['all', '1'],
    ],
  ],
  async getInsights(t) {
    const { query = {} } = await validRequestPreparers.getInsights(t)
    const range = String(new URLSearchParams(Object.entries(query)).get('range') ?? 'last_30d')
    return [
      [
        ['range', range],
        ['range', range],
      ],
    ]
  },
}

const handlesRepeats = (operation: keyof typeof repeated): Requirement =>
  must(`QUERY-TWICE-${operation}`, '§4', operation)
    .tests('odd-input', ruleAnchorOfOperation(operation))
    .states(`${operation} with a parameter that is sent twice is accepted, or rejected as bad input.`)
    .judged(async (t) => {
      await assumePositiveControl(t, operation)
      const answers: Exchange[] = []
      for (const query of await repeated[operation](t)) answers.push(await t.call(operation, { query }))
      return answers
    }, 'exchange')

const handlesBadEncoding = must('QUERY-MALFORMED-listDocuments', '§4', 'listDocuments')
  .tests('malformed-input', 'list-documents')
  .states(
    'listDocuments with a query that has NUL or cannot be decoded is accepted, or rejected as bad input, or refused by the server in front of it.',
  )
  .judged(async (t) => {
    await assumePositiveControl(t, 'listDocuments')
    return [
      await t.call('listDocuments', { query: 'folder_id=%ff&all=%' }),
      await t.call('listDocuments', { query: 'folder_id=a%00' }),
    ]
  }, 'exchange')

/** Requirements on input that a service may accept or refuse, but must answer. */
export const oddInputRequirements: Requirement[] = [
  handlesBadEncoding,
  handlesRepeats('listDocuments'),
  handlesRepeats('getInsights'),
  handlesDepth(taskKindDefinition),
  handlesDepth(documentKindDefinition),
  ...handlesOddTexts(taskKindDefinition),
  ...handlesOddTexts(documentKindDefinition),
  handlesForeignFields,
  handlesOddFields,
]
