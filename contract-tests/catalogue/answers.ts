/** §4, §7: what answers look like. Most of it is judged on every answer of the run, whatever it was asked for. */
import type { z } from 'zod'
import { errorBody } from '#contract/errors.ts'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { brief, codeOf, type Exchange, field, idOf, isAbsent, isAccepted, items } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { firstTwin } from '../evidence/calls.ts'
import { expectAccepted } from '../harness/expect.ts'
import { observation, probe, type Requirement, type Traffic } from '../harness/requirement.ts'
import { creates, freeOperations } from './families.ts'

const accepts = freeOperations.map((operation) => {
  const needs = operation === 'readNotification' ? (['state:unread_notification'] as const) : []
  return probe(
    `ACCEPTS-${operation}`,
    'MUST',
    routeOf(operation).section,
    operation,
    `${operation} answers a well-formed request with a success (any 2xx).`,
    async (t) => void expectAccepted(await firstTwin(t, operation)),
    {
      writes: creates(operation),
      alone: needs.length > 0,
      needs: routeOf(operation).auth === 'cookie' ? ['session'] : needs,
    },
  )
})

/** What keeps a JSON value from fitting a schema: the place and what is wrong there. */
function misfit(schema: z.ZodType, value: unknown): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  return issue && `${issue.path.join('.') || 'the body'}: ${issue.message}`
}

/** The variants whose shape an answer has. */
export function variantsOf(exchange: Exchange, allowed: readonly Variant[] = variants): Variant[] {
  const { answer } = routeOf(exchange.operation)
  return allowed.filter((variant) => misfit(answer[variant], exchange.json) === undefined)
}

function successes({ exchanges }: Traffic, operation: OperationId): Exchange[] {
  return exchanges.filter((one) => one.operation === operation && isAccepted(one) && one.json !== undefined)
}

/** What is wrong with a field that only one variant names, where an answer of the other carries it too. */
function strayField({ operation, json }: Exchange): string | undefined {
  const { answer } = routeOf(operation)
  for (const variant of variants) {
    for (const [name, schema] of Object.entries(answer[variant].shape)) {
      const value = field(json, name)
      const wrong = value === undefined ? undefined : misfit(schema as z.ZodType, value)
      if (wrong !== undefined) return `${name}: ${wrong}`
    }
  }
  return undefined
}

/** Operations whose answers hold nothing that §2 describes. */
const confirmations: readonly OperationId[] = ['deleteKey', 'readNotification', 'listLandingPages']

const shapes = operationIds.map((operation) =>
  observation(
    `SHAPE-${operation}`,
    'MUST',
    confirmations.includes(operation) ? routeOf(operation).section : `${routeOf(operation).section}, §2`,
    operation,
    `Every success answer of ${operation} has all fields of a documented shape, with their types.`,
    (traffic) => {
      const seen = successes(traffic, operation)
      if (seen.length === 0) throw notSeen(traffic, operation)
      const allowed = traffic.variant ? [traffic.variant] : variants
      const { answer } = routeOf(operation)
      for (const exchange of seen) {
        const stray = strayField(exchange)
        if (stray !== undefined) throw new Violation('documented fields of their types', stray, exchange)
        if (variantsOf(exchange, allowed).length > 0) continue
        const misfits = [...new Set(allowed.map((variant) => misfit(answer[variant], exchange.json)))]
        throw new Violation(
          'a complete documented shape',
          misfits.join('; or in the other variant, '),
          exchange,
        )
      }
    },
  ),
)

function notSeen({ exchanges }: Traffic, operation: OperationId): NotExercised | NotApplicable {
  const asked = exchanges.filter(
    (one) => one.operation === operation && one.requestHeaders.authorization !== undefined,
  )
  if (asked.some(isAbsent)) return new NotApplicable(`the extended route ${operation} is not offered`)
  return new NotExercised(
    `no success answer of ${operation} was seen`,
    routeOf(operation).cost > 0 ? '--max-credits 1 or more' : undefined,
  )
}

/** An error of the API; what answers for a route that is not offered is no part of it. */
function isError(exchange: Exchange): boolean {
  return !isAccepted(exchange) && !isAbsent(exchange)
}

/** The code that an error answer of each status carries; null: any. */
const codes: readonly (readonly [number, readonly string[]])[] = [
  [400, ['invalid_request']],
  [401, ['unauthorized']],
  [402, ['no_credits']],
  [404, ['not_found']],
  [409, ['invalid_request', 'busy']],
  [429, ['rate_limited']],
  [503, ['unavailable']],
]

const errorCodes = codes.map(([status, allowed]) =>
  observation(
    `ERROR-CODE-${status}`,
    'MUST',
    '§7',
    null,
    `The error of every ${status} is ${allowed.join(' or ')}.`,
    ({ exchanges }) => {
      const seen = exchanges.filter(
        (one) => isError(one) && one.status === status && codeOf(one) !== undefined,
      )
      if (seen.length === 0) throw new NotExercised(`no answer of ${status} was seen`)
      const wrong = seen.find((one) => !allowed.includes(codeOf(one) ?? ''))
      if (wrong) throw new Violation(`error: ${allowed.join(' or ')}`, brief(wrong), wrong)
    },
  ),
)

const documented = new Set([400, 401, 402, 404, 409, 422, 429, 500, 503])

/** Characters of a body that a server may find too long (413) before the API sees it. */
const longBody = 10_000

function isDocumented({ status, requestBody = '' }: Exchange): boolean {
  return documented.has(status) || (status === 413 && requestBody.length > longBody)
}

/** The variants that all answers with two shapes have in common, and those answers. */
export function variantsTold(exchanges: readonly Exchange[]): { common: Set<Variant>; told: Exchange[] } {
  const common = new Set(variants)
  const told: Exchange[] = []
  for (const exchange of exchanges) {
    if (!['listTasks', 'createTask', 'runTask'].includes(exchange.operation) || !isAccepted(exchange))
      continue
    const shaped = variantsOf(exchange)
    if (shaped.length === 0) continue
    for (const variant of variants) if (!shaped.includes(variant)) common.delete(variant)
    told.push(exchange)
  }
  return { common, told }
}

/** Where the lists are whose items have ids of their own. */
const listed: Partial<Record<OperationId, string>> = {
  listTasks: 'items',
  listDocuments: 'items',
  listNotifications: 'items',
  listKeys: 'keys',
}

export const answers: Requirement[] = [
  ...accepts,
  ...shapes,
  ...errorCodes,

  observation(
    'ANSWER-JSON',
    'MUST',
    '§4',
    null,
    'Every answer is JSON: the body can be read as such, and Content-Type says so.',
    ({ exchanges }) => {
      for (const exchange of exchanges.filter((one) => !isAbsent(one))) {
        if (exchange.json === undefined) throw new Violation('a JSON body', brief(exchange), exchange)
        const type = exchange.headers['content-type'] ?? ''
        if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
          throw new Violation('Content-Type: application/json', type || 'no Content-Type', exchange)
      }
    },
  ),

  observation(
    'ERROR-BODY',
    'MUST',
    '§7',
    null,
    'Every error answer is { error: <code>, message: <human text> }.',
    ({ exchanges }) => {
      const errors = exchanges.filter((one) => isError(one) && one.json !== undefined)
      if (errors.length === 0) throw new NotExercised('no error answer was seen')
      for (const exchange of errors) {
        const wrong = misfit(errorBody, exchange.json)
        if (wrong) throw new Violation('{ error, message }, both texts', wrong, exchange)
      }
    },
  ),

  observation(
    'ERROR-MESSAGE',
    'SHOULD',
    '§7',
    null,
    'The message of every error answer is a text that a person can read: not empty, and not the code again.',
    ({ exchanges }) => {
      const told = exchanges.filter((one) => isError(one) && typeof field(one.json, 'message') === 'string')
      if (told.length === 0) throw new NotExercised('no error answer with a message was seen')
      for (const exchange of told) {
        const message = String(field(exchange.json, 'message')).trim()
        if (message === '' || message === codeOf(exchange))
          throw new Violation('a message for people', JSON.stringify(message), exchange)
      }
    },
  ),

  observation(
    'ERROR-STATUS',
    'MUST',
    '§7',
    null,
    'Every answer is a success or has a status of the error tables.',
    ({ exchanges }) => {
      const wrong = exchanges.find((one) => isError(one) && !isDocumented(one))
      if (wrong) throw new Violation(`2xx or one of ${[...documented].join(', ')}`, brief(wrong), wrong)
    },
  ),

  observation(
    'LIST-IDS-UNIQUE',
    'MUST',
    '§2',
    null,
    'No list tells two tasks, documents, notifications or keys of the same id.',
    ({ exchanges }) => {
      const lists = exchanges.filter((one) => isAccepted(one) && listed[one.operation] !== undefined)
      if (lists.length === 0) throw new NotExercised('no list was seen')
      for (const list of lists) {
        const ids = items(list, listed[list.operation]).flatMap((item) => idOf(field(item, 'id')) ?? [])
        const seen = new Set<string>()
        const twice = ids.find((id) => seen.size === seen.add(id).size)
        if (twice !== undefined) throw new Violation('an id for each item', `${twice} twice`, list)
      }
    },
  ),

  observation(
    'LEADS-FIELDS',
    'MUST',
    '§2',
    'listLeads',
    'Every prospect has id, name, email, phone, createdTime and campaign.',
    (traffic) => {
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
    },
  ),

  observation(
    'VARIANT-CONSISTENT',
    'SHOULD',
    '§4 Tasks',
    null,
    'The routes that have two shapes keep to one variant.',
    (traffic) => {
      const { common, told } = variantsTold(traffic.exchanges)
      if (told.length < 2) throw new NotExercised('fewer than two answers with a variant were seen')
      if (common.size === 0)
        throw new Violation('one variant throughout', 'answers of both', told[0], told.at(-1))
    },
  ),
]
