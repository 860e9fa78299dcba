/** Common traits of tasks and documents: created with texts that are kept, read by a unique id, and listed. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import { NotApplicable } from '../client/check-errors.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { readCredits } from '../fixtures/credits.ts'
import {
  assumeUniqueCreation,
  createDocument,
  createTask,
  readResource,
  requestUnknownId,
  sharedDocument,
  sharedTask,
} from '../fixtures/resources.ts'
import {
  documentFieldLengths,
  documentFieldTexts,
  fieldsResemblingOtherTypes,
  fragileTexts,
  isStoredUnaltered,
  joinedSampleTexts,
  jsonLookalikeText,
  jsonWithRawField,
  longMixedText,
  longText,
  longTextLengths,
  taskTextsResemblingOtherTypes,
  textsWithOuterWhitespace,
} from '../fixtures/texts.ts'
import { assumePositiveControl, assumeSharedResourceRead } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent, documentedRefusals } from '../harness/expect.ts'
import { createdIdIn, ruleAnchorOfOperation } from '../harness/operations.ts'
import { type CheckTraits, must, type Requirement, should } from '../harness/requirement.ts'
import { isAllowedRefusal } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'

/**
 * The definition of a kind of resource, from which requirements are generated: how it is created, read and listed, and
 * which field holds its longest text.
 */
export interface ResourceKindDefinition {
  readonly prefix: 'TASK' | 'DOC'
  readonly name: 'task' | 'document'
  readonly create: 'createTask' | 'createDocument'
  readonly read: 'getTask' | 'getDocument'
  readonly list: 'listTasks' | 'listDocuments'
  /**
   * Options of the request that lists all resources; `allName`: the subject of requirement sentences about that list.
   */
  readonly all: CallOptions
  readonly allName: string
  /** The member of a response that holds the resource. */
  readonly member: 'task' | 'item'
  readonly text: 'text' | 'content_md'
  /** The name of the field with the longest text in requirement sentences. */
  readonly textName: string
  /** Anchors of two rules of the specification: that about the longest text, and that about the other fields. */
  readonly textRule: RuleAnchor
  readonly fieldsRule: RuleAnchor
  /** True if the response to a creation must contain the longest text. */
  readonly echoesText: boolean
  /** First word of the unique texts that checks create. */
  readonly tag: string
  readonly body: (t: TestContext, text?: string) => Record<string, string>
  /** The body of a creation with a given longest text, and with unusual characters in every other field. */
  readonly wholeBody: (t: TestContext, text: string) => Record<string, string>
  /** Creates a resource, with the given title or text if there is one. */
  readonly make: (t: TestContext, name?: string, client?: Client) => Promise<{ id: string }>
  /** Creates the nth of many resources: some have equal names, others texts that look like something else. */
  readonly makeNth: (t: TestContext, nth: number, client: Pick<Client, 'call'>) => Promise<{ id: string }>
  /** Creates the resource that several checks read; only the first call sends a request. */
  readonly shared: (t: TestContext) => Promise<{ id: string }>
}

/** Index of the resource, among many, whose text is `0`; it is read back. */
export const zeroAt = 3
/** Index of the document, among many, whose summary is `null`; it is read back. */
export const nullAt = 4

/** The definition of tasks as a kind of resource: how they are created, listed and read. */
export const taskKindDefinition: ResourceKindDefinition = {
  prefix: 'TASK',
  name: 'task',
  create: 'createTask',
  read: 'getTask',
  list: 'listTasks',
  all: {},
  allName: 'The list',
  member: 'task',
  text: 'text',
  textName: 'text',
  textRule: 'service-purpose',
  fieldsRule: 'task-fields',
  echoesText: true,
  tag: 'Task',
  body: (t, text = t.name('Task')) => ({ text }),
  wholeBody: (_, text) => ({ text }),
  make: createTask,
  makeNth: async (t, nth, client) => {
    const { text } = await sharedTask(t)
    const json = nth % 4 === 2 ? jsonLookalikeText(t.name('Task'), Math.floor(nth / 4) + 1) : text
    return createTask(t, taskTextsResemblingOtherTypes[nth] ?? json, client)
  },
  shared: sharedTask,
}

/** The definition of documents as a kind of resource: how they are created, listed and read. */
export const documentKindDefinition: ResourceKindDefinition = {
  prefix: 'DOC',
  name: 'document',
  create: 'createDocument',
  read: 'getDocument',
  list: 'listDocuments',
  all: { query: { all: '1' } },
  allName: 'The list with all=1',
  member: 'item',
  text: 'content_md',
  textName: 'content',
  textRule: 'document-input',
  fieldsRule: 'document-item',
  echoesText: false,
  tag: 'Content',
  body: (t, text) => ({ title: t.name('Document'), ...(text === undefined ? {} : { content_md: text }) }),
  wholeBody: (t, content_md) => ({
    content_md,
    title: `  ${longText(joinedSampleTexts(t.name(documentFieldTexts.title)), documentFieldLengths.title).trim()}\nsecond line `,
    summary: ` ${longText(joinedSampleTexts(t.name(documentFieldTexts.summary)), documentFieldLengths.summary).trim()}\n`,
  }),
  make: (t, title, client) => createDocument(t, title === undefined ? {} : { title }, client),
  makeNth: async (t, nth, client) => {
    const fields = fieldsResemblingOtherTypes(nth)
    // A service may refuse a title that is taken; what has every field must not fail for that.
    const title = fields.summary === undefined ? (await sharedDocument(t)).title : t.name('Document')
    return createDocument(t, { title, content_md: t.name('Content'), ...fields }, client)
  },
  shared: sharedDocument,
}

/** Options of a check that creates or changes something. */
export const writingCheckTraits = { writes: true } as const

/**
 * Options of a check that creates a resource and looks for it in a list. It runs alone, since in a capped list its
 * resource must be the newest item.
 */
export const newestInListCheckTraits = {
  ...writingCheckTraits,
  retryOnViolation: true,
  comparesOrder: true,
} as const

/** Requests an operation with an id that does not exist, after an existing resource was read; returns the response. */
export const requestUnknownIdAfterRead = (
  t: TestContext,
  operation: OperationId,
  { read, shared }: ResourceKindDefinition,
) =>
  t.evidence(`unknown ${operation}`, async () => {
    const { id } = await shared(t)
    await assumeSharedResourceRead(t, read)
    return requestUnknownId(id, (unknown) => t.call(operation, unknown))
  })

/** Declares the requirement that an operation answers 404 to an id that does not exist. */
export const declareUnknownIdRequirement = (
  id: RequirementId,
  operation: OperationId,
  kind: ResourceKindDefinition,
  traits: CheckTraits = {},
): Requirement =>
  must(id, '§7', operation, { ...writingCheckTraits, ...traits })
    .tests('error-not-found')
    .states(`${operation} with an unknown ${kind.name} id returns 404 not_found.`)
    .judged(async (t) => {
      const answers = await excludeCreditRefusals(t, [await requestUnknownIdAfterRead(t, operation, kind)])
      assumePresent(answers[0], 'a credit for a run, which the service checks first')
      return answers
    }, 'exchange')

/**
 * Leaves out of some answers the refusals (402) of runs requested at a balance below one credit: a service may refuse
 * these before it looks for the task.
 */
export async function excludeCreditRefusals(
  t: TestContext,
  answers: readonly Exchange[],
): Promise<readonly Exchange[]> {
  const isBroke = (one: Exchange) =>
    one.operation === 'runTask' && isAllowedRefusal(one, documentedRefusals.noCredits)
  if (!answers.some(isBroke) || (await readCredits(t)) >= 1) return answers
  return answers.filter((one) => !isBroke(one))
}

/** Creates a resource with a text; returns the response, and what is read by its id if it was accepted. */
async function storeText(t: TestContext, kind: ResourceKindDefinition, text: string): Promise<Exchange[]> {
  await assumePositiveControl(t, kind.create)
  const answer = await t.call(kind.create, { body: kind.body(t, text) })
  const { id } = hasSuccessStatus(answer) ? assumeUniqueCreation(t, answer) : {}
  return id === undefined ? [answer] : [answer, (await readResource(t, kind.read, id)).exchange]
}

/**
 * A resource whose fields contain all that services often damage, read twice; undefined if each text is to be tried
 * alone.
 */
const storedWhole = (t: TestContext, kind: ResourceKindDefinition) =>
  t
    .evidence(`whole ${kind.name}`, async () => {
      await assumePositiveControl(t, kind.create)
      const sent = kind.wholeBody(t, longMixedText(t.name(kind.tag)))
      const { id, exchange } = assumeUniqueCreation(t, await t.call(kind.create, { body: sent }))
      await readResource(t, kind.read, id)
      const { item } = await readResource(t, kind.read, id)
      return { sent, item, echo: valueAtPath(exchange.json, kind.member) }
    })
    .catch(() => undefined)

/**
 * True if the service stores a field exactly, apart from white space at either end, when all fields are sent in one
 * request.
 */
export async function isTrimmedFieldKept(
  t: TestContext,
  kind: ResourceKindDefinition,
  name: string,
): Promise<boolean> {
  const whole = await storedWhole(t, kind)
  const isEchoed = kind.echoesText && name === kind.text
  const stored = whole
    ? [valueAtPath(whole.item, name), ...(isEchoed ? [valueAtPath(whole.echo, name)] : [])]
    : []
  return whole !== undefined && stored.every((one) => isStoredUnaltered(one, whole.sent[name] ?? ''))
}

/** True if the service stores fields exactly, with white space at either end, when all fields are sent in one request. */
export async function areFieldsKeptWithWhitespace(
  t: TestContext,
  kind: ResourceKindDefinition,
  ...names: string[]
): Promise<boolean> {
  const whole = await storedWhole(t, kind)
  return whole !== undefined && names.every((name) => valueAtPath(whole.item, name) === whole.sent[name])
}

/**
 * A body, as JSON, with fields that a creation does not have and a careless service would store: the id of another
 * resource, another status, and a number too large for a double.
 */
const withForeignFields = (body: object, id: string) =>
  jsonWithRawField({ ...body, id, status: 'completed', finished: true }, 'n', '1e400')

/**
 * Creates a resource with fields that do not belong to its kind, such as another resource's id; returns the answer and,
 * if it was accepted, reads of the new resource and of the one whose id was sent.
 */
export const createResourceWithForeignFields = (
  t: TestContext,
  kind: ResourceKindDefinition,
): Promise<Exchange[]> =>
  t.evidence(`${kind.name} with foreign fields`, async () => {
    const { id } = await (kind === taskKindDefinition ? sharedTask(t) : sharedDocument(t))
    const exchange = await t.call(kind.create, { body: withForeignFields(kind.body(t), id) })
    if (!hasSuccessStatus(exchange)) return [exchange]
    const ids = [createdIdIn(exchange), id].filter((one) => one !== undefined)
    return [exchange, ...(await Promise.all(ids.map((one) => t.call(kind.read, { id: one }))))]
  })

/** Declares the requirements that each kind of fragile text is stored exactly, except for white space at its ends. */
export const declareTextsKeptRequirements = (kind: ResourceKindDefinition): Requirement[] =>
  Object.entries(fragileTexts).map(([name, text]) =>
    must(`${kind.prefix}-TEXT-${name}` as RequirementId, '§2, §4', kind.create, writingCheckTraits)
      .tests('texts-kept', kind.textRule, ruleAnchorOfOperation(kind.create))
      .states(
        `The ${kind.textName} of a ${kind.name} is stored character by character: ${name.toLowerCase()}.`,
      )
      .judged(async (t) => {
        if (await isTrimmedFieldKept(t, kind, kind.text)) return undefined
        return storeText(t, kind, text.replace('{tag}', t.name(kind.tag)))
      }),
  )

/** Declares the requirement that the longest text of a resource keeps white space at its ends. */
export const declareWhitespaceKeptRequirement = (kind: ResourceKindDefinition): Requirement =>
  should(`${kind.prefix}-TEXT-ENDS`, '§2', kind.create, writingCheckTraits)
    .tests('texts-kept', kind.textRule, ruleAnchorOfOperation(kind.create))
    .states(`The ${kind.textName} of a ${kind.name} keeps white space at either end.`)
    .judged(async (t) => {
      if (await areFieldsKeptWithWhitespace(t, kind, kind.text)) return undefined
      const texts = textsWithOuterWhitespace.map((padding) => padding.replace('{tag}', t.name(kind.tag)))
      return (await Promise.all(texts.map((text) => storeText(t, kind, text)))).flat()
    })

/** True if a long text may have been refused for its length (400, 413 or 422), which §2 allows. */
export const mayBeRefusedForLength = ({ status }: Exchange): boolean => [400, 413, 422].includes(status)

/** Declares the requirement that a long text is stored in full. */
export const declareLongTextKeptRequirement = (
  kind: ResourceKindDefinition,
  id: RequirementId,
  section: string,
): Requirement =>
  must(id, section, kind.create, writingCheckTraits)
    .tests('texts-kept', kind.textRule, ruleAnchorOfOperation(kind.create))
    .states(`Long ${kind.name} ${kind.textName} that is accepted is stored in full.`)
    .judged(async (t) => {
      if (await isTrimmedFieldKept(t, kind, kind.text)) return undefined
      await assumePositiveControl(t, kind.create)
      for (const length of longTextLengths) {
        const exchange = await t.call(kind.create, {
          body: kind.body(t, longText(t.name(kind.tag), length)),
        })
        if (mayBeRefusedForLength(exchange)) continue
        return [(await readResource(t, kind.read, assumeUniqueCreation(t, exchange).id)).exchange]
      }
      const lengths = longTextLengths.map((one) => one.toLocaleString('en')).join(' and of ')
      throw new NotApplicable(`a ${kind.textName} of ${lengths} characters is refused, which is allowed`)
    })
