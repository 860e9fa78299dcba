/** Rules on single answers, whoever asked (§2, §4, §7). */

import { errorBody } from '#contract/errors.ts'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { errorCodeOf, isRouteAbsent, valueAtPath } from '#traffic/exchange.ts'
import { mayInputBeRejectedUpstream } from '#traffic/malformed-input.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import { numberAt, statusAndCode, stringAt, taskProgressIn } from '../matching.ts'
import { documentedErrorStatuses } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import { optionalFieldMismatch, schemaMismatch, shapeMismatch, variantsOf } from '../shape.ts'
import { declareModelRule, judgeFact, type ModelRule } from '../violation.ts'

/** True if a server in front of the API may have refused a malformed or long request. */
export function mayBeFrontServerRefusal({ operation, resource, body, answer }: AnsweredRequest): boolean {
  const text = JSON.stringify(body) ?? ''
  // Lone surrogates are escaped.
  const sent = /\\ud[89a-f]/i.test(text) ? '\ud800' : text
  return mayInputBeRejectedUpstream(
    answer.status,
    routeOf(operation).path.includes(':id') ? resource : '',
    sent,
  )
}

/** True for errors of the API with a documented (or undocumented) status. */
function isError(event: AnsweredRequest, isDocumented = true): boolean {
  const { operation, answer } = event
  if (isSuccess(answer) || documentedErrorStatuses.includes(answer.status) !== isDocumented) return false
  const isOfMediaType = event.negotiatesContent === true || event.content === 'none'
  if (isOfMediaType && [406, 415].includes(answer.status)) return false
  return !isRouteAbsent({ operation, status: answer.status }) && !mayBeFrontServerRefusal(event)
}

const ofAnybody = (
  id: string,
  requirement: RequirementId,
  anchor: string,
  operations: readonly OperationId[] = operationIds,
) => declareModelRule(id, requirement, anchor, operations, { audience: 'anybody', neverConsequence: true })

/** The error codes allowed for each status. */
export const errorCodesByStatus: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['no_credits'],
  404: ['not_found'],
  409: ['invalid_request', 'busy'],
  429: ['rate_limited'],
  503: ['unavailable'],
}

const errors: readonly ModelRule[] = [
  ...Object.entries(errorCodesByStatus).map(([status, allowed]) =>
    ofAnybody(`error-code-${status}`, `ERROR-CODE-${status}` as RequirementId, 'error-code-decides').judge(
      (_, event) => {
        const code = errorCodeOf(event.answer)
        if (event.answer.status !== Number(status) || code === undefined || !isError(event)) return undefined
        return judgeFact(
          allowed.includes(code),
          `error: ${allowed.join(' or ')}`,
          statusAndCode(event.answer),
        )
      },
    ),
  ),
  // ERROR-STATUS covers other statuses.
  ofAnybody('error-body', 'ERROR-BODY', 'error-body').judge((_, event) => {
    const { json } = event.answer
    if (json === undefined || !isError(event)) return undefined
    const wrong = schemaMismatch(errorBody, json)
    return judgeFact(wrong === undefined, 'an object with the strings error and message', wrong ?? '')
  }),
  ofAnybody('error-message', 'ERROR-MESSAGE', 'error-body').judge((_, event) => {
    const message = stringAt(event.answer.json, 'message')?.trim()
    if (message === undefined || !isError(event)) return undefined
    const isReadable = message !== '' && message !== errorCodeOf(event.answer)
    return judgeFact(isReadable, 'a readable message', JSON.stringify(message))
  }),
  ofAnybody('error-status', 'ERROR-STATUS', 'error-statuses').judge((_, event) =>
    judgeFact(
      !isError(event, false),
      `2xx or one of ${documentedErrorStatuses.join(', ')}`,
      statusAndCode(event.answer),
    ),
  ),
]

const shapes = operationIds.map((operation) => {
  const anchor = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return ofAnybody(`shape-${operation}`, `SHAPE-${operation}`, anchor, [operation]).judge(
    (_, event, { variant }) => {
      if (!isSuccess(event.answer) || event.answer.json === undefined) return undefined
      const stray = optionalFieldMismatch(event)
      if (stray !== undefined) return judgeFact(false, 'every field with the documented type', stray)
      const wrong = shapeMismatch(event, variant ? [variant] : variants)
      return judgeFact(wrong === undefined, 'every documented field, with the documented type', wrong ?? '')
    },
  )
})

const prospect = ['id', 'name', 'email', 'phone', 'createdTime', 'campaign']

/** Rules that judge each answer by itself, such as its status, error code and fields. */
export const answerRules: readonly ModelRule[] = [
  ...errors,
  ...shapes,
  ofAnybody('prospects-whole', 'LEADS-FIELDS', 'prospect-fields', ['listLeads']).judge((_, { answer }) => {
    const prospects = [valueAtPath(answer.json, 'prospects')].flat()
    if (!isSuccess(answer) || answer.json === undefined || prospects.length === 0) return undefined
    const lacking = prospects.map((one) => prospect.filter((name) => valueAtPath(one, name) === undefined))
    const missing = lacking.find(({ length }) => length > 0)
    return judgeFact(missing === undefined, 'all six fields', `no ${missing?.join(', ')}`)
  }),
  ofAnybody('in-progress-unfinished', 'RUN-IN-PROGRESS-UNFINISHED', 'status-in-progress', [
    'getTask',
    'runTask',
  ]).judge((_, { operation, answer }) => {
    const status = valueAtPath(answer.json, ...(operation === 'getTask' ? ['task'] : []), 'status')
    if (status !== 'in_progress') return undefined
    const isFinished = valueAtPath(answer.json, 'finished') === true
    return judgeFact(!isFinished, 'finished: false', 'finished: true with the status in_progress')
  }),
  // Only in these answers is `credits` specified.
  ofAnybody('balance-not-negative', 'CREDITS-NEVER-NEGATIVE', 'run-reserves', [
    'whoami',
    'listTasks',
    'createTask',
  ]).judge((_, { answer }) => {
    const credits = isSuccess(answer) ? numberAt(answer.json, 'credits') : undefined
    return judgeFact(credits === undefined || credits >= 0, 'credits: 0 or more', `credits: ${credits}`)
  }),
  declareModelRule('one-variant', 'VARIANT-CONSISTENT', 'variants', ['listTasks', 'createTask', 'runTask'], {
    neverConsequence: true,
  }).judge((_, event, { shownVariants: seen }) => {
    const shown = isSuccess(event.answer) ? variantsOf(event) : []
    if (shown.length === 0 || seen.length === 0) return undefined
    // An answer with the shape of both variants contradicts neither.
    const other = seen.find(({ shown: before }) => !before.some((one) => shown.includes(one)))
    return judgeFact(!other, 'one variant in all responses', 'responses of both variants', other?.eventId)
  }),
  declareModelRule('finished-by-status', 'RUN-FINISHED-BY-STATUS', 'task-finished', ['getTask', 'runTask'], {
    neverConsequence: true,
  }).judge((_, event, { firstByStatus }) => {
    const { status, finished } = taskProgressIn(event) ?? {}
    const other = firstByStatus.get(`${event.tenant} ${status} ${!finished}`)
    if (status === undefined || !(finished || other !== undefined)) return undefined
    return judgeFact(
      other === undefined,
      `the status "${status}" to be always final or never final`,
      `finished: ${!finished}, then finished: ${finished}`,
      other,
    )
  }),
]
