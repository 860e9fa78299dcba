/** §4, §7: the form of responses, mostly tested on every response of the run. */

import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { briefAnswer, type Exchange, isRouteAbsent } from '#traffic/exchange.ts'
import { mayBeRejectedUpstream } from '#traffic/malformed-input.ts'
import { Violation } from '../client/check-errors.ts'
import { anyMediaType } from '../client/request.ts'
import { distinctServerErrors, serverErrorsText } from '../fixtures/server-errors.ts'
import { sendPositiveControl } from '../fixtures/valid-requests.ts'
import { withUndocumentedStatusLast } from '../harness/expect.ts'
import {
  freeOperations,
  type RuleAnchorsByOperation,
  ruleAnchorOfOperation,
  traitsOfOperation,
} from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { errorCodesByStatus } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'

/** Rules about the set and the credential of an operation. */
const setRules = (operation: OperationId): readonly RuleAnchor[] => {
  const { set, auth } = routeOf(operation)
  return [
    ...(set === 'core' ? (['core-set-required'] as const) : []),
    ...(auth === 'cookie' ? (['session-routes'] as const) : []),
  ]
}

/** Further rules that the acceptance of a valid request tests. */
const acceptedInput: RuleAnchorsByOperation = {
  createTask: ['service-purpose'],
  createDocument: ['document-input'],
  listNotifications: ['notifications-polled'],
}

/** By operation: requirements whose violations a refused valid request explains. */
const acceptanceExplains: Partial<Record<OperationId, readonly RequirementId[]>> = {
  getTask: ['ODD-TEXT-createTask'],
  getDocument: ['ODD-TEXT-createDocument'],
  readNotification: ['NOTIFICATION-UNKNOWN'],
}

const accepts = freeOperations.map((operation) =>
  must(`ACCEPTS-${operation}`, routeOf(operation).section, operation, {
    ...traitsOfOperation(operation),
    exclusive: operation === 'readNotification',
  })
    .tests(
      'success-status',
      'path-prefix',
      ruleAnchorOfOperation(operation),
      ...setRules(operation),
      ...(acceptedInput[operation] ?? []),
    )
    .explains(...(acceptanceExplains[operation] ?? []))
    .states(`${operation} answers a valid request with a success status (any 2xx).`)
    .judged(async (t) => {
      const answer = await sendPositiveControl(t, operation)
      if (operation !== 'whoami') return [answer]
      // A client such as curl names no type of its own.
      return [answer, await t.call('whoami', { headers: { accept: anyMediaType } })]
    }, 'exchange'),
)

/** True if a response is of the API itself: not of a missing route, of a server in front, or about media types. */
function isOfApi(exchange: Exchange): boolean {
  return !isRouteAbsent(exchange) && !mayBeRejectedUpstream(exchange) && ![406, 415].includes(exchange.status)
}

const refused = 'AUTH-INVALID-whoami'

interface ErrorStatus {
  readonly rules: readonly RuleAnchor[]
  /** The requirement whose requests provoke this status. */
  readonly shownBy: RequirementId
}

const errorStatuses: Readonly<Record<string, ErrorStatus>> = {
  400: { rules: ['error-invalid-request'], shownBy: 'INPUT-EMPTY-createTask' },
  401: { rules: ['unauthorized-first', 'error-unauthorized', 'status-401'], shownBy: refused },
  402: { rules: ['error-no-credits', 'status-402'], shownBy: 'NO-CREDITS-REFUSED' },
  404: { rules: ['error-not-found', 'status-404'], shownBy: 'TASK-UNKNOWN' },
  409: { rules: ['error-invalid-request', 'error-busy'], shownBy: 'BUSY-ANSWER' },
  429: { rules: ['error-rate-limited'], shownBy: 'LIMIT-CODE' },
  503: { rules: ['error-unavailable'], shownBy: 'UNAVAILABLE-CODE' },
}

const ofForm = { about: 'form' } as const

const errorCodes = Object.entries(errorCodesByStatus).map(([status, allowed]) => {
  const { rules = [], shownBy } = errorStatuses[status] ?? {}
  return must(`ERROR-CODE-${status}` as RequirementId, '§7', null, ofForm)
    .tests('errors-by-section-7', 'error-code-decides', ...rules)
    .states(`Every ${status} response has the error code ${allowed.join(' or ')}.`)
    .seen(`${status} response`, { shownBy })
})

/** Characters of a body shown from its end. */
const shownEnd = 40

/** The reason why a body is not JSON, with the place where reading it failed, and its end. */
function unreadable(exchange: Exchange): string {
  const { operation, status, text } = exchange
  if (text === '') return briefAnswer(exchange)
  // The body may contain a secret, which cannot be told from the rest.
  if (operation === 'createKey') return `${status} with ${text.length} characters that are not JSON`
  // A cut secret cannot be recognized, so nothing that may be part of one is shown.
  const end = text.slice(-shownEnd).replace(/^[\w%+/=.-]+|[\w%+/=.-]{6,}/g, '…')
  return `${status}, ${parseError(text)}; its ${text.length} characters end in ${JSON.stringify(end)}`
}

function parseError(text: string): string {
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark'
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message.replace(/(?:, )?(?:\.\.\.)?"[\s\S]*$/, '') || 'not JSON'
  }
}

/** Operations whose responses contain nothing that §2 describes. */
const confirmations: readonly OperationId[] = ['deleteKey', 'readNotification', 'listLandingPages']

/** Rules about what the answers of an operation contain, beside the rule about the operation itself. */
const shownFields: RuleAnchorsByOperation = {
  whoami: ['org-id', 'org-name', 'org-plan', 'org-credits'],
  createKey: ['key-value', 'key-secret', 'secret-once'],
  listKeys: ['key-id', 'key-name', 'key-prefix', 'key-last-used'],
  listTasks: ['task-fields', 'task-usage', 'task-credits', 'variants', 'usage-numbers'],
  createTask: ['task-fields', 'task-credits', 'variants'],
  getTask: ['task-fields', 'task-finished'],
  runTask: ['task-fields', 'run-names-task', 'run-names-itself', 'status-in-progress', 'variants'],
  listDocuments: ['document-item'],
  getDocument: ['document-item'],
  createDocument: ['document-item'],
  listNotifications: ['notification-list', 'notification-flag'],
  listLeads: ['prospect-fields', 'leads-connected'],
  generateCreative: ['creative-fields'],
  createLandingPage: ['landing-page-fields'],
  listCampaigns: ['opaque-objects'],
  getInsights: ['opaque-objects'],
  getWallet: ['opaque-objects'],
  getBilling: ['opaque-objects'],
}

const shapes = operationIds.map((operation) =>
  must(
    `SHAPE-${operation}`,
    confirmations.includes(operation) ? routeOf(operation).section : `${routeOf(operation).section}, §2`,
    operation,
  )
    .tests(ruleAnchorOfOperation(operation), ...(shownFields[operation] ?? []))
    .states(
      `Every success response of ${operation} has all fields of a documented shape, with the documented types.`,
    )
    .seen(`success response of ${operation}`, {
      shownBy: operation === 'readNotification' ? 'ACCEPTS-readNotification' : undefined,
    }),
)

/** Requirements on the form of every answer: its status, headers and JSON. */
export const responseFormatRequirements: Requirement[] = [
  // First of all: what a service fails at, it has not thought of.
  must('ANSWER-NO-500', '§4, §7', null, { about: 'failures' })
    .tests('odd-input', 'status-500')
    .states('No response is an error of the service itself (5xx other than 503).')
    .seen(({ exchanges }) => {
      const found = serverErrorsText(exchanges)
      if (found !== undefined)
        throw new Violation('no 5xx other than 503', found, ...distinctServerErrors(exchanges))
    }),

  ...accepts,
  ...shapes,
  ...errorCodes,

  must('ANSWER-JSON', '§4', null, ofForm)
    .tests('json-only', 'error-body')
    .states('Every response has a JSON body and a JSON Content-Type.')
    .seen(({ exchanges }) => {
      for (const exchange of withUndocumentedStatusLast(exchanges.filter(isOfApi))) {
        if (exchange.json === undefined) throw new Violation('a JSON body', unreadable(exchange), exchange)
        const type = exchange.headers['content-type'] ?? ''
        if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
          throw new Violation('Content-Type: application/json', type || 'no Content-Type', exchange)
      }
    }),

  must('ANSWER-IN-STEP', '§4', null, ofForm)
    .tests('json-only')
    .states('Each response on a kept-alive connection answers the request that was sent (RFC 9112 §9.3).')
    .seen(({ outOfStep }) => {
      const [first] = outOfStep
      if (!first) return
      const { before, exchange, fresh } = first
      const times = outOfStep.length === 1 ? 'once' : `${outOfStep.length} times in all`
      throw new Violation(
        `${briefAnswer(fresh)}, as on a new connection`,
        `${briefAnswer(exchange)}, ${times}; the service may not have read the body of a request that it refused`,
        before,
        exchange,
        fresh,
      )
    }),

  must('ERROR-BODY', '§7', null, ofForm)
    .tests('errors-by-section-7', 'error-body')
    .states('Every error response is an object with the strings error and message.')
    .seen('error response', { shownBy: refused }),

  should('ERROR-MESSAGE', '§7', null, ofForm)
    .tests('errors-by-section-7', 'error-body')
    .states('The message of every error response is readable text: neither empty nor the error code itself.')
    .seen('error response with a message', { shownBy: refused }),

  must('ERROR-STATUS', '§7', null, ofForm)
    .tests(
      'errors-by-section-7',
      'error-statuses',
      'status-400',
      'status-401',
      'status-402',
      'status-404',
      'status-422',
      'status-429',
      'status-500',
    )
    .explainsSameStatus('*-ODD-ID', 'ANSWER-JSON')
    .states('Every response has a 2xx status or a documented error status.')
    .seen('response'),

  must('LIST-IDS-UNIQUE', '§2', null)
    .tests('ids', 'key-id')
    .explains('NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT', 'NOTIFICATION-STAYS-READ', 'LIST-PROMPT')
    .states('No list contains two tasks, documents, notifications or keys with the same id.')
    .seen('list', { shownBy: 'ACCEPTS-listTasks' }),

  must('LEADS-FIELDS', '§2', 'listLeads')
    .tests('prospect-fields', 'list-leads')
    .states('Every prospect has id, name, email, phone, createdTime and campaign.')
    .seen('prospect', { supply: 'an organization with leads' }),

  should('VARIANT-CONSISTENT', '§4 Tasks', null)
    .tests('variants')
    .states('All routes that have two documented shapes use the same variant.')
    .seen('second response with a variant', { shownBy: 'TASK-LISTED' }),
]

/** Requirements that later answers agree with what earlier requests sent and earlier answers showed. */
export const consistencyRequirements: Requirement[] = [
  must('TASK-ANSWER-TEXT', '§4', 'createTask')
    .tests('create-task')
    .states('Every createTask response contains the text that was sent.')
    .seen('created task'),

  must('DOC-ANSWER-FIELDS', '§2', 'createDocument')
    .tests('document-item')
    .states(
      'Responses of createDocument and getDocument show the content, summary and folder of the creation, or none; those of listDocuments show nothing else in their place.',
    )
    .seen('created document'),

  must('NOTIFICATION-LISTED', '§4', 'listNotifications')
    .tests('list-contents', 'list-notifications')
    .explains('NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT')
    .states('The list of notifications contains the newest one.')
    .seen('unread notification', { shownBy: 'NOTIFICATION-STAYS-UNREAD' }),

  should('LANDING-PAGE-LISTED-SAME', '§2', 'listLandingPages')
    .tests('landing-page-fields', 'list-landing-pages')
    .states('The list shows a landing page with the business_name that its creation returned.')
    .seen('created landing page in a list'),
]
