/** §2, §4, §7: what an answer shows by itself, whoever asked and whatever else was found. */
import { errorBody } from '#contract/errors.ts'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { codeOf, field, isAbsent } from '#traffic/exchange.ts'
import { mayBeStopped } from '#traffic/odd-input.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, numberAt, statusIn, textAt } from '../matching.ts'
import { documentedErrors } from '../refusal.ts'
import { mismatch, misshapen, strayField, variantsOf } from '../shape.ts'
import { type Rule, required, rule } from '../violation.ts'

/** Whether a server in front of the API may have refused a request that is malformed or long. */
function isOfServer({ operation, resource, body, answer }: Answered): boolean {
  const text = JSON.stringify(body) ?? ''
  // What is no text is escaped.
  const sent = /\\ud[89a-f]/i.test(text) ? '\ud800' : text
  return mayBeStopped(answer.status, routeOf(operation).path.includes(':id') ? resource : '', sent)
}

/** Whether an answer is an error of the API, with a status that is documented or not. */
function isError(event: Answered, isDocumented = true): boolean {
  const { operation, answer } = event
  if (isSuccess(answer) || documentedErrors.includes(answer.status) !== isDocumented) return false
  return !isAbsent({ operation, status: answer.status }) && !isOfServer(event)
}

const ofAnybody = (
  id: string,
  requirement: string,
  anchor: string,
  operations: readonly OperationId[] = operationIds,
) => rule(id, requirement, anchor, operations, { asker: 'anybody', direct: true })

/** The error codes allowed for each status. */
export const codesOf: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['no_credits'],
  404: ['not_found'],
  409: ['invalid_request', 'busy'],
  429: ['rate_limited'],
  503: ['unavailable'],
}

const errors: readonly Rule[] = [
  ...Object.entries(codesOf).map(([status, allowed]) =>
    ofAnybody(`error-code-${status}`, `ERROR-CODE-${status}`, 'error-code-decides').judge((_, event) => {
      const code = codeOf(event.answer)
      if (event.answer.status !== Number(status) || code === undefined || !isError(event)) return undefined
      return required(allowed.includes(code), `error: ${allowed.join(' or ')}`, brief(event.answer))
    }),
  ),
  // Of other statuses ERROR-STATUS says enough.
  ofAnybody('error-body', 'ERROR-BODY', 'error-body').judge((_, event) => {
    const { json } = event.answer
    if (json === undefined || !isError(event)) return undefined
    const wrong = mismatch(errorBody, json)
    return required(wrong === undefined, 'an object with the strings error and message', wrong ?? '')
  }),
  ofAnybody('error-message', 'ERROR-MESSAGE', 'error-body').judge((_, event) => {
    const message = textAt(event.answer.json, 'message')?.trim()
    if (message === undefined || !isError(event)) return undefined
    const isReadable = message !== '' && message !== codeOf(event.answer)
    return required(isReadable, 'a readable message', JSON.stringify(message))
  }),
  ofAnybody('error-status', 'ERROR-STATUS', 'error-statuses').judge((_, event) =>
    required(!isError(event, false), `2xx or one of ${documentedErrors.join(', ')}`, brief(event.answer)),
  ),
]

const shapes = operationIds.map((operation) => {
  const anchor = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return ofAnybody(`shape-${operation}`, `SHAPE-${operation}`, anchor, [operation]).judge(
    (_, event, { variant }) => {
      if (!isSuccess(event.answer) || event.answer.json === undefined) return undefined
      const stray = strayField(event)
      if (stray !== undefined) return required(false, 'every field with the documented type', stray)
      const wrong = misshapen(event, variant ? [variant] : variants)
      return required(wrong === undefined, 'every documented field, with the documented type', wrong ?? '')
    },
  )
})

const prospect = ['id', 'name', 'email', 'phone', 'createdTime', 'campaign']

export const answers: readonly Rule[] = [
  ...errors,
  ...shapes,
  ofAnybody('prospects-whole', 'LEADS-FIELDS', 'prospect-fields', ['listLeads']).judge((_, { answer }) => {
    const prospects = [field(answer.json, 'prospects')].flat()
    if (!isSuccess(answer) || answer.json === undefined || prospects.length === 0) return undefined
    const lacking = prospects.map((one) => prospect.filter((name) => field(one, name) === undefined))
    const missing = lacking.find(({ length }) => length > 0)
    return required(missing === undefined, 'all six fields', `no ${missing?.join(', ')}`)
  }),
  ofAnybody('in-progress-unfinished', 'RUN-IN-PROGRESS-UNFINISHED', 'status-in-progress', [
    'getTask',
    'runTask',
  ]).judge((_, { operation, answer }) => {
    const status = field(answer.json, ...(operation === 'getTask' ? ['task'] : []), 'status')
    if (status !== 'in_progress') return undefined
    const isFinished = field(answer.json, 'finished') === true
    return required(!isFinished, 'finished: false', 'finished: true with the status in_progress')
  }),
  // Other numbers of that name are not specified.
  ofAnybody('balance-not-negative', 'CREDITS-NEVER-NEGATIVE', 'run-reserves', [
    'whoami',
    'listTasks',
    'createTask',
  ]).judge((_, { answer }) => {
    const credits = isSuccess(answer) ? numberAt(answer.json, 'credits') : undefined
    return required(credits === undefined || credits >= 0, 'credits: 0 or more', `credits: ${credits}`)
  }),
  rule('one-variant', 'VARIANT-CONSISTENT', 'variants', ['listTasks', 'createTask', 'runTask'], {
    direct: true,
  }).judge((_, event, { variants: seen }) => {
    const shown = isSuccess(event.answer) ? variantsOf(event) : []
    if (shown.length === 0 || seen.length === 0) return undefined
    // One whose shape has both agrees with all.
    const other = seen.find(({ shown: before }) => !before.some((one) => shown.includes(one)))
    return required(!other, 'one variant in all responses', 'responses of both variants', other?.by)
  }),
  rule('finished-by-status', 'RUN-FINISHED-BY-STATUS', 'task-finished', ['getTask', 'runTask'], {
    direct: true,
  }).judge((_, event, { statuses }) => {
    const { status, finished } = statusIn(event) ?? {}
    const other = statuses.get(`${event.tenant} ${status} ${!finished}`)
    if (status === undefined || !(finished || other !== undefined)) return undefined
    return required(
      other === undefined,
      `the status "${status}" to be always final or never final`,
      `finished: ${!finished}, then finished: ${finished}`,
      other,
    )
  }),
]
