/** §2, §4: the documented shapes of success responses, in two variants. */
import type { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { type Exchange, field, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import { must, type Observation, type Requirement, type Traffic } from '../harness/requirement.ts'

/** Why a JSON value does not match a schema, of which `name` is the place in the body; undefined: it does. */
export function mismatch(schema: z.ZodType, value: unknown, name?: string): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (!issue) return undefined
  const path = issue.path.map(String)
  const place = [...(name === undefined ? [] : [name]), ...path].join('.') || 'the body'
  const found = field(value, ...path)
  if (found === undefined) return `${place} is missing`
  if (issue.code === 'invalid_type') return `${place} is ${kindOf(found)}, not ${aOrAn(issue.expected)}`
  if (issue.code === 'too_small') return `${place} is empty`
  return `${place} is ${kindOf(found)}, not of a documented type`
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : aOrAn(typeof value)

const aOrAn = (kind: string) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

/** The variants of responses: several requirements ask for them. */
const known = new WeakMap<Exchange, readonly Variant[]>()

/** The variants whose shape a response has. */
function variantsOf(exchange: Exchange): readonly Variant[] {
  const { answer } = routeOf(exchange.operation)
  const found =
    known.get(exchange) ??
    variants.filter((variant) => mismatch(answer[variant], exchange.json) === undefined)
  known.set(exchange, found)
  return found
}

/** The success responses of an operation with a JSON body. */
export function successes({ exchanges }: Traffic, operation: OperationId): Exchange[] {
  return exchanges.filter((one) => one.operation === operation && isAccepted(one) && one.json !== undefined)
}

/** Why a field of either variant has a wrong type in a response; undefined: none has. */
function strayField(exchange: Exchange): string | undefined {
  const { operation, json } = exchange
  const { answer } = routeOf(operation)
  const met = variantsOf(exchange)
  for (const variant of variants.filter((one) => !met.includes(one))) {
    for (const [name, schema] of Object.entries(answer[variant].shape)) {
      const value = field(json, name)
      const wrong = value === undefined ? undefined : mismatch(schema as z.ZodType, value, name)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

/** Operations whose responses contain nothing that §2 describes. */
const confirmations: readonly OperationId[] = ['deleteKey', 'readNotification', 'listLandingPages']

export const shapes: Requirement[] = operationIds.map((operation) =>
  must(
    `SHAPE-${operation}`,
    confirmations.includes(operation) ? routeOf(operation).section : `${routeOf(operation).section}, §2`,
    operation,
  )
    .states(
      `Every success response of ${operation} has all fields of a documented shape, with the documented types.`,
    )
    .observe(
      (traffic) => {
        const seen = successes(traffic, operation)
        if (seen.length === 0) throw notSeen(traffic, operation)
        const allowed = traffic.variant ? [traffic.variant] : variants
        const { answer } = routeOf(operation)
        for (const exchange of seen) {
          const stray = strayField(exchange)
          if (stray !== undefined)
            throw new Violation('every field with the documented type', stray, exchange)
          if (variantsOf(exchange).some((variant) => allowed.includes(variant))) continue
          const mismatches = [...new Set(allowed.map((variant) => mismatch(answer[variant], exchange.json)))]
          throw new Violation(
            'every documented field, with the documented type',
            mismatches.join('; or in the other variant, '),
            exchange,
          )
        }
      },
      operation === 'readNotification' ? 'NOTIFICATION-NEW-UNREAD' : undefined,
    ),
)

/** What to supply for more paid requests; undefined where the run could spend that many. */
export function moreCredits(given: number, wanted = 1): string | undefined {
  return given < wanted ? `--max-credits ${wanted} or more` : undefined
}

/** The error to throw if no success response of an operation was seen. */
export function notSeen(
  { exchanges, maxCredits }: Traffic,
  operation: OperationId,
): NotExercised | NotApplicable {
  const requests = exchanges.filter(
    (one) => one.operation === operation && one.requestHeaders.authorization !== undefined,
  )
  if (requests.some(isAbsent)) return new NotApplicable(`the extended route ${operation} is not offered`)
  return new NotExercised(
    `no success response of ${operation} was seen`,
    routeOf(operation).cost > 0 ? moreCredits(maxCredits) : undefined,
  )
}

/** The responses of routes with two shapes, and the variants that all of them match. */
export function variantsSeen(exchanges: readonly Exchange[]): { common: Set<Variant>; seen: Exchange[] } {
  const common = new Set(variants)
  const seen: Exchange[] = []
  for (const exchange of exchanges) {
    if (!['listTasks', 'createTask', 'runTask'].includes(exchange.operation) || !isAccepted(exchange))
      continue
    const shaped = variantsOf(exchange)
    if (shaped.length === 0) continue
    for (const variant of variants) if (!shaped.includes(variant)) common.delete(variant)
    seen.push(exchange)
  }
  return { common, seen }
}

/** Whether the model had anything to judge of a requirement: what it objects to, the run reports in the end. */
export const byModel =
  (requirement: string, operation: OperationId | null, what: string): Observation['observe'] =>
  (traffic) => {
    if (traffic.tried.has(requirement)) return
    const missing = operation && notSeen(traffic, operation)
    throw missing instanceof NotApplicable ? missing : new NotExercised(`no ${what} was seen`)
  }
