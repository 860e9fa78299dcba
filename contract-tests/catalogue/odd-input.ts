/** §4: well-formed but unusual input, and bodies that are not UTF-8: accepted as it is or refused, and never a failure. */
import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { isStoppedBefore } from '#traffic/odd-input.ts'
import { created } from '../evidence/resources.ts'
import { assumePositiveControl, assumeRead, validRequests } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeJson,
  expectAccepted,
  expectRefused,
  expectThat,
  type Refusal,
  refusals,
  show,
} from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { document, type Kind, task } from './resource-kinds.ts'
import { deepLevels, oddJson } from './texts.ts'

/** Requires a success or a refusal; the codes of refusals are judged elsewhere. */
function expectHandled(exchange: Exchange, refusal: Refusal): void {
  const ofAnyCode = Object.fromEntries(Object.keys(refusal).map((status) => [status, null]))
  if (!isAccepted(exchange) && !isStoppedBefore(exchange)) expectRefused(exchange, ofAnyCode)
}

/** A JSON body in which a part of a text is written in an odd way. */
const bodyWith = (part: string, body: (text: string) => object, name: string) =>
  JSON.stringify(body(`${name} {odd} end`)).replace('{odd}', () => part)

/** The requests to create one with each odd text, and what is read of those that were accepted. */
const oddTexts = (t: TestContext, kind: Kind) =>
  t.evidence(`odd ${kind.name} texts`, async () => {
    await assumePositiveControl(t, kind.create)
    await assumeRead(t, kind.read)
    const answers: { readonly what: string; readonly exchange: Exchange; readonly read?: Exchange }[] = []
    for (const [what, part] of Object.entries(oddJson)) {
      const body = bodyWith(part, (text) => kind.body(t, text), t.name(kind.mark))
      const exchange = await t.call(kind.create, { body })
      if (!isAccepted(exchange)) answers.push({ what, exchange })
      else answers.push({ what, exchange, read: await t.call(kind.read, { id: created(t, exchange).id }) })
    }
    return answers
  })

const handlesOddTexts = (kind: Kind): Requirement[] => [
  must(`ODD-TEXT-${kind.create}`, '§4', kind.create, { writes: true, alone: true })
    .states(
      `${kind.create} with NUL, a lone surrogate or a byte that is not UTF-8 in its ${kind.textName} is accepted or rejected as bad input, and what it creates is read without a failure.`,
    )
    .check(async (t) => {
      for (const { exchange, read } of await oddTexts(t, kind)) {
        expectHandled(exchange, refusals.badInput)
        // Whether it is found at all, other requirements test.
        if (read && read.status >= 500) expectAccepted(read, exchange)
      }
    }),

  should(`ODD-TEXT-KEPT-${kind.create}`, '§2, §4', kind.create, { writes: true, alone: true })
    .states(
      `${kind.create} stores a ${kind.textName} with NUL, a lone surrogate or a byte that is not UTF-8 as it is, or rejects it.`,
    )
    .check(async (t) => {
      for (const { what, exchange, read } of await oddTexts(t, kind)) {
        if (!read || !isAccepted(read)) continue
        const sent = field(JSON.parse(exchange.requestBody ?? ''), kind.text)
        const stored = field(assumeJson(read).json, kind.member, kind.text)
        expectThat(stored === sent, `${what} kept or rejected: ${show(sent)}`, show(stored), exchange, read)
      }
    }),
]

/** A value that is nested many levels deep, as JSON. */
const deep = `${'['.repeat(deepLevels)}${']'.repeat(deepLevels)}`

const handlesDepth = (kind: Kind): Requirement =>
  must(`DEEP-BODY-${kind.create}`, '§4', kind.create, { writes: true })
    .states(`${kind.create} with a deeply nested body is accepted, or rejected as bad input.`)
    .check(async (t) => {
      await assumePositiveControl(t, kind.create)
      const known = JSON.stringify(kind.body(t)).slice(0, -1)
      for (const body of [`${known},"nested":${deep}}`, ...(kind === task ? [deep] : [])])
        expectHandled(await t.call(kind.create, { body }), refusals.badInput)
    })

type Pair = readonly [name: string, value: string]

/** The queries in which a parameter is sent twice. */
const repeated: Readonly<
  Record<'listDocuments' | 'getInsights', (t: TestContext) => Promise<readonly (readonly Pair[])[]>>
> = {
  listDocuments: async () => [
    [
      ['folder_id', 'a'],
      ['folder_id', 'b'],
    ],
    [
      ['all', '1'],
      ['all', '1'],
    ],
  ],
  async getInsights(t) {
    const { query = {} } = await validRequests.getInsights(t)
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
    .states(`${operation} with a parameter that is sent twice is accepted, or rejected as bad input.`)
    .check(async (t) => {
      await assumePositiveControl(t, operation)
      for (const query of await repeated[operation](t)) {
        // A folder may have to exist.
        expectHandled(await t.call(operation, { query }), refusals.notFoundOrBadInput)
      }
    })

export const oddInput: Requirement[] = [
  handlesRepeats('listDocuments'),
  handlesRepeats('getInsights'),
  handlesDepth(task),
  handlesDepth(document),
  ...handlesOddTexts(task),
  ...handlesOddTexts(document),
]
