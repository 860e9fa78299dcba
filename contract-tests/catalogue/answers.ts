/** §4, §7: the form of responses, mostly tested on every response of the run. */
import { errorBody } from '#contract/errors.ts'
import { routeOf } from '#contract/operation.ts'
import { brief, codeOf, type Exchange, field, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { isStoppedBefore } from '#traffic/odd-input.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { positiveControl } from '../evidence/valid-requests.ts'
import {
  documentedErrors,
  documentedFirst,
  expectAccepted,
  hasUndocumentedStatus,
} from '../harness/expect.ts'
import { creates, freeOperations } from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { byModel, mismatch, notSeen, shapes, successes, variantsSeen } from './response-shapes.ts'

const accepts = freeOperations.map((operation) => {
  const needs = operation === 'readNotification' ? (['state:unread_notification'] as const) : []
  return must(`ACCEPTS-${operation}`, routeOf(operation).section, operation, {
    writes: creates(operation),
    alone: needs.length > 0,
    needs: routeOf(operation).auth === 'cookie' ? ['session'] : needs,
  })
    .states(`${operation} answers a valid request with a success status (any 2xx).`)
    .check(async (t) => void expectAccepted(await positiveControl(t, operation)))
})

/** Whether a response is one of the API: not of a route that is not offered, or of a server in front. */
function isOfApi(exchange: Exchange): boolean {
  return !isAbsent(exchange) && !isStoppedBefore(exchange)
}

/** Whether a response is an error of the API. */
function isError(exchange: Exchange): boolean {
  return !isAccepted(exchange) && isOfApi(exchange)
}

/** The error codes allowed for each status, and the requirement whose requests show it, if few do. */
const codes: readonly (readonly [status: number, allowed: readonly string[], shownBy?: string])[] = [
  [400, ['invalid_request']],
  [401, ['unauthorized']],
  [402, ['no_credits'], 'NO-CREDITS-REFUSED'],
  [404, ['not_found']],
  [409, ['invalid_request', 'busy'], 'BUSY-ANSWER'],
  [429, ['rate_limited'], 'LIMIT-CODE'],
  [503, ['unavailable'], 'UNAVAILABLE-CODE'],
]

const errorCodes = codes.map(([status, allowed, shownBy]) =>
  must(`ERROR-CODE-${status}`, '§7', null)
    .states(`Every ${status} response has the error code ${allowed.join(' or ')}.`)
    .observe(({ exchanges }) => {
      const seen = exchanges.filter(
        (one) => isError(one) && one.status === status && codeOf(one) !== undefined,
      )
      if (seen.length === 0) throw new NotExercised(`no ${status} response was seen`)
      const wrong = seen.find((one) => !allowed.includes(codeOf(one) ?? ''))
      if (wrong) throw new Violation(`error: ${allowed.join(' or ')}`, brief(wrong), wrong)
    }, shownBy),
)

/** Characters of a body shown from its end. */
const shownEnd = 40

/** Why a body is not JSON, where reading it failed, and how it ends. */
function unreadable(exchange: Exchange): string {
  const { operation, status, text } = exchange
  if (text === '') return brief(exchange)
  // The body may contain a secret, which cannot be told from the rest.
  if (operation === 'createKey') return `${status} with ${text.length} characters that are not JSON`
  // A cut secret cannot be recognized, so nothing that may be part of one is shown.
  const end = text.slice(-shownEnd).replace(/^[\w%+/=.-]+|[\w%+/=.-]{6,}/g, '…')
  return `${status}, ${parseError(text)}; its ${text.length} characters end in ${JSON.stringify(end)}`
}

function parseError(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message.replace(/(?:, )?(?:\.\.\.)?"[\s\S]*$/, '') || 'not JSON'
  }
}

export const answers: Requirement[] = [
  ...accepts,
  ...shapes,
  ...errorCodes,

  must('ANSWER-JSON', '§4', null)
    .states('Every response has a JSON body and a JSON Content-Type.')
    .observe(({ exchanges }) => {
      for (const exchange of documentedFirst(exchanges.filter(isOfApi))) {
        if (exchange.json === undefined) throw new Violation('a JSON body', unreadable(exchange), exchange)
        const type = exchange.headers['content-type'] ?? ''
        if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
          throw new Violation('Content-Type: application/json', type || 'no Content-Type', exchange)
      }
    }),

  must('ANSWER-IN-STEP', '§4', null)
    .states('Each response on a kept-alive connection answers the request that was sent (RFC 9112 §9.3).')
    .observe(({ outOfStep }) => {
      const [first] = outOfStep
      if (!first) return
      const { before, exchange, fresh } = first
      const times = outOfStep.length === 1 ? 'once' : `${outOfStep.length} times in all`
      throw new Violation(
        `${brief(fresh)}, as on a new connection`,
        `${brief(exchange)}, ${times}; the service may not have read the body of a request that it refused`,
        before,
        exchange,
        fresh,
      )
    }),

  must('ERROR-BODY', '§7', null)
    .states('Every error response is an object with the strings error and message.')
    .observe(({ exchanges }) => {
      const errors = exchanges.filter((one) => isError(one) && one.json !== undefined)
      if (errors.length === 0) throw new NotExercised('no error response was seen')
      for (const exchange of documentedFirst(errors)) {
        const wrong = mismatch(errorBody, exchange.json)
        if (wrong) throw new Violation('an object with the strings error and message', wrong, exchange)
      }
    }),

  should('ERROR-MESSAGE', '§7', null)
    .states('The message of every error response is readable text: neither empty nor the error code itself.')
    .observe(({ exchanges }) => {
      const seen = exchanges.filter((one) => isError(one) && typeof field(one.json, 'message') === 'string')
      if (seen.length === 0) throw new NotExercised('no error response with a message was seen')
      for (const exchange of documentedFirst(seen)) {
        const message = String(field(exchange.json, 'message')).trim()
        if (message === '' || message === codeOf(exchange))
          throw new Violation('a readable message', JSON.stringify(message), exchange)
      }
    }),

  must('ERROR-STATUS', '§7', null)
    .states('Every response has a 2xx status or a documented error status.')
    .observe(({ exchanges }) => {
      const wrong = exchanges.find((one) => isError(one) && hasUndocumentedStatus(one))
      if (wrong) throw new Violation(`2xx or one of ${documentedErrors.join(', ')}`, brief(wrong), wrong)
    }),

  must('LIST-IDS-UNIQUE', '§2', null)
    .states('No list contains two tasks, documents, notifications or keys with the same id.')
    .observe(byModel('LIST-IDS-UNIQUE', null, 'list')),

  must('LEADS-FIELDS', '§2', 'listLeads')
    .states('Every prospect has id, name, email, phone, createdTime and campaign.')
    .observe((traffic) => {
      const seen = successes(traffic, 'listLeads')
      if (seen.length === 0) throw notSeen(traffic, 'listLeads')
      const prospects = seen.flatMap((exchange) =>
        [field(exchange.json, 'prospects')].flat().map((one) => ({ one, exchange })),
      )
      if (prospects.length === 0)
        throw new NotExercised('the list of prospects is empty', 'an organization with leads')
      for (const { one, exchange } of prospects) {
        const missing = ['id', 'name', 'email', 'phone', 'createdTime', 'campaign'].filter(
          (name) => field(one, name) === undefined,
        )
        if (missing.length > 0) throw new Violation('all six fields', `no ${missing.join(', ')}`, exchange)
      }
    }),

  should('VARIANT-CONSISTENT', '§4 Tasks', null)
    .states('All routes that have two documented shapes use the same variant.')
    .observe((traffic) => {
      const { common, seen } = variantsSeen(traffic.exchanges)
      if (seen.length < 2) throw new NotExercised('fewer than two responses with a variant were seen')
      if (common.size === 0)
        throw new Violation(
          'one variant in all responses',
          'responses of both variants',
          seen[0],
          seen.at(-1),
        )
    }),
]

export const knownThings: Requirement[] = [
  must('TASK-ANSWER-TEXT', '§4', 'createTask')
    .states('Every createTask response contains the text that was sent.')
    .observe(byModel('TASK-ANSWER-TEXT', 'createTask', 'created task')),

  must('TASK-NEW-IDLE', '§3', 'createTask')
    .states('A task that never ran is not in_progress.')
    .observe(byModel('TASK-NEW-IDLE', 'createTask', 'created task')),

  must('DOC-ANSWER-FIELDS', '§2', 'createDocument')
    .states(
      'Responses of createDocument and getDocument show the content, summary and folder of the creation, or none.',
    )
    .observe(byModel('DOC-ANSWER-FIELDS', 'createDocument', 'created document')),

  must('NOTIFICATION-LISTED', '§4', 'listNotifications')
    .states('The list of notifications contains the newest one.')
    .observe(
      byModel('NOTIFICATION-LISTED', 'listNotifications', 'unread notification'),
      'NOTIFICATION-NEW-UNREAD',
    ),

  should('LANDING-PAGE-LISTED-SAME', '§2', 'listLandingPages')
    .states('The list shows a landing page with the business_name that its creation returned.')
    .observe(byModel('LANDING-PAGE-LISTED-SAME', 'listLandingPages', 'created landing page in a list')),
]
