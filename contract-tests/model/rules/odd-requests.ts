/** §4: unusual requests with a valid credential: each answer is judged by the class of its request alone. */

import type { OperationId } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { isFromFrontServer } from '../../client/recorder.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import { isSameTrimmed, quotedJson, statusAndCode } from '../matching.ts'
import {
  type AllowedRefusal,
  allowRefusalOrSuccess,
  documentedRefusals,
  isAllowedRefusal,
  judgeRefusal,
} from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import type { ModelState } from '../state.ts'
import { declareModelRule, judgeFact, type ModelRule } from '../violation.ts'
import { mayBeFrontServerRefusal } from './answers.ts'

/** A class of requests, and the answers that it allows. */
interface RequestClass {
  readonly requirement: RequirementId
  readonly anchor: string
  readonly operation: OperationId
  readonly allowed: AllowedRefusal
  readonly isMeant: (event: AnsweredRequest) => boolean
}

/** Success, or a refusal of bad input: other rules judge its error code. */
const badInput = allowRefusalOrSuccess({ 400: null, 409: null, 422: null })
/** The same, or 404, since the folder that a query names may have to exist. */
const badQuery = { ...badInput, 404: null }
const unsupported = { ...documentedRefusals.badInput, 415: null }
const badOption = allowRefusalOrSuccess(documentedRefusals.badInput)

const classOf = (
  operation: OperationId,
  requirement: RequirementId,
  anchor: string,
  allowed: AllowedRefusal,
  isMeant: RequestClass['isMeant'],
): RequestClass => ({ requirement, anchor, operation, allowed, isMeant })

const isText = (value: unknown): value is string => typeof value === 'string'
const isOddText = (value: unknown): boolean =>
  isText(value) && (value.includes('\0') || !value.isWellFormed())

/** True for a document with a usual title, and with an optional field that is no text or has an odd one. */
function hasOddOptions({ body }: AnsweredRequest): boolean {
  const { title, ...options } = Object(body)
  const isOdd = (value: unknown) => value !== null && (!isText(value) || isOddText(value))
  return isText(title) && !isOddText(title) && Object.values(options).some(isOdd)
}

/** True for a task with a text, and with fields that a creation does not have. */
const hasForeignFields = (body: unknown): boolean => {
  const { text, ...others } = Object(body)
  return isText(text) && text !== '' && Object.keys(others).length > 0
}

/** True for a document in which only the content is wrong: it is no text. */
const hasWrongContent = ({ body }: AnsweredRequest): boolean => {
  const { title, content_md: content, ...options } = Object(body)
  return isText(title) && Object.keys(options).length === 0 && typeof content === 'object' && content !== null
}

/** True for a document with the fields that every service takes: a title, a content and a summary of usual length. */
function hasUsualFields({ body, oddity }: AnsweredRequest): boolean {
  const { title, content_md, summary, ...options } = Object(body)
  const isUsual = (value: unknown) => isText(value) && value.trim() !== '' && value.length <= usual
  return (
    oddity === undefined && Object.keys(options).length === 0 && [title, content_md, summary].every(isUsual)
  )
}

/** The longest text that every service takes, in characters. */
const usual = 200

const pageOptions = ['preferred_subdomain', 'page_type', 'spec', 'strategy', 'render', 'publish']

const classes: readonly RequestClass[] = [
  classOf(
    'whoami',
    'ODD-ACCEPT-whoami',
    'media-types',
    allowRefusalOrSuccess({ 406: null }),
    ({ oddity }) => oddity === 'media-type',
  ),
  classOf(
    'createTask',
    'INPUT-TYPE-createTask',
    'json-only',
    unsupported,
    ({ oddity, content }) => oddity === 'media-type' && content === 'not-json',
  ),
  classOf(
    'createTask',
    'ODD-TYPE-createTask',
    'media-types',
    allowRefusalOrSuccess(unsupported),
    ({ oddity, content }) => oddity === 'media-type' && content === undefined,
  ),
  ...(['createTask', 'createDocument'] as const).flatMap((operation) => [
    classOf(
      operation,
      `DEEP-BODY-${operation}`,
      'odd-input',
      badInput,
      ({ oddity }) => oddity === 'excessive-body',
    ),
    classOf(
      operation,
      `ODD-TEXT-${operation}`,
      'malformed-input',
      badInput,
      (event) => event.oddity === 'odd-text' && !hasOddOptions(event),
    ),
  ]),
  classOf(
    'createTask',
    'ODD-FIELDS-createTask',
    'odd-input',
    badInput,
    ({ body, oddity }) => oddity === undefined && hasForeignFields(body),
  ),
  classOf(
    'createDocument',
    'ODD-FIELDS-createDocument',
    'odd-input',
    badQuery,
    (event) => hasOddOptions(event) && !hasWrongContent(event),
  ),
  classOf(
    'createDocument',
    'INPUT-WRONG-CONTENT-createDocument',
    'document-input',
    documentedRefusals.badInput,
    hasWrongContent,
  ),
  classOf(
    'createDocument',
    'DOC-FIELDS-ACCEPTED',
    'document-input',
    allowRefusalOrSuccess({}),
    hasUsualFields,
  ),
  ...(['listDocuments', 'getInsights'] as const).map((operation) =>
    classOf(
      operation,
      `QUERY-TWICE-${operation}`,
      'odd-input',
      badQuery,
      ({ oddity }) => oddity === 'repeated-parameter',
    ),
  ),
  classOf(
    'listDocuments',
    'QUERY-MALFORMED-listDocuments',
    'malformed-input',
    badQuery,
    ({ oddity }) => oddity === 'undecodable-query',
  ),
  classOf(
    'getInsights',
    'INSIGHTS-RANGE',
    'insights-ranges',
    badOption,
    ({ query, oddity }) => query?.range !== undefined && oddity === undefined,
  ),
  classOf('createLandingPage', 'ODD-FIELDS-createLandingPage', 'odd-input', badOption, ({ body }) =>
    pageOptions.some((name) => Object.hasOwn(Object(body), name)),
  ),
]

/** True if the credential of a request certainly has access; a created key may have been deleted. */
const hasAccess = ({ tenant, key, oddity }: AnsweredRequest) =>
  oddity !== undefined || (tenant !== null && key === undefined)

const answersOf = ({ requirement, anchor, operation, allowed, isMeant }: RequestClass): ModelRule =>
  declareModelRule(requirement.toLowerCase(), requirement, anchor, [operation], {
    audience: 'anybody',
  }).judge((_, event) => {
    if (!hasAccess(event) || !isMeant(event)) return undefined
    const { status, json } = event.answer
    // The server in front of a service may refuse such a query in its own words.
    if (event.oddity === 'undecodable-query' && status === 400 && json === undefined) return true
    if (isFromFrontServer(event.answer) || mayBeFrontServerRefusal(event)) return undefined
    return judgeRefusal(event, allowed)
  })

/** Requirements about tasks and documents with odd texts, with the fields that hold them. */
const stored = [
  ['createTask', 'getTask', ['task', 'text']],
  ['createDocument', 'getDocument', ['item', 'content_md']],
] as const

/**
 * Records in `state` a task or document that was created with an odd text, so that later reads can be compared with it.
 */
export function learnOddTextCreation(
  { oddTexts }: ModelState,
  { id: eventId, operation, oddity, body, answer }: AnsweredRequest,
): void {
  const kind = stored.find(([create]) => create === operation)
  if (!kind || oddity !== 'odd-text' || !isSuccess(answer)) return
  const [, read, [member, name]] = kind
  const id = idAsText(valueAtPath(answer.json, member, 'id'))
  const value = valueAtPath(body, name)
  if (id !== undefined && isText(value)) oddTexts.set(`${read} ${id}`, { value, eventId })
}

const oddTextOf = ({ oddTexts }: ModelState, { operation, resource }: AnsweredRequest) =>
  oddTexts.get(`${operation} ${resource}`)

/** True if the rules on unusual requests judge an answer, so that no other rule needs to object to it. */
export const areOddRequestRulesApplicable = (event: AnsweredRequest, state: ModelState): boolean =>
  event.invented !== undefined ||
  oddTextOf(state, event) !== undefined ||
  (hasAccess(event) &&
    classes.some(({ operation, isMeant }) => operation === event.operation && isMeant(event)))

const textsOf = ([create, read, [member, name]]: (typeof stored)[number]): ModelRule[] => [
  declareModelRule(`odd-text-readable-${create}`, `ODD-TEXT-${create}`, 'malformed-input', [read]).judge(
    (_, event, state) => {
      const text = oddTextOf(state, event)
      if (!text || isFromFrontServer(event.answer)) return undefined
      const isFailure = event.answer.status >= 500 && event.answer.status !== 503
      return judgeFact(!isFailure, 'a success (any 2xx)', statusAndCode(event.answer), text.eventId)
    },
  ),
  declareModelRule(`odd-text-kept-${create}`, `ODD-TEXT-KEPT-${create}`, 'texts-kept', [create, read], {
    audience: 'anybody',
  }).judge((_, event, state) => {
    const { operation, oddity, answer } = event
    if (operation === create)
      return (oddity === 'odd-text' && isAllowedRefusal(answer, badInput) && !isSuccess(answer)) || undefined
    const text = oddTextOf(state, event)
    if (!text || !isSuccess(answer)) return undefined
    const shown = valueAtPath(answer.json, member, name)
    return judgeFact(
      isSameTrimmed(shown, text.value),
      `${member}.${name} kept or rejected: ${quotedJson(text.value)}`,
      quotedJson(shown),
      text.eventId,
    )
  }),
]

const schemeCase = declareModelRule('scheme-case', 'AUTH-SCHEME-CASE', 'bearer-case', ['whoami'], {
  audience: 'anybody',
}).judge((_, { oddity, answer }) =>
  oddity === 'scheme-case'
    ? judgeFact(answer.status !== 401, 'the same answer as with "Bearer"', '401')
    : undefined,
)

/** Rules on unusual requests with a valid credential. */
export const oddRequestRules: readonly ModelRule[] = [
  ...classes.map(answersOf),
  ...stored.flatMap(textsOf),
  schemeCase,
]
