/** Validates the body and query of a request against the contract. */
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Route } from '#contract/route.ts'
import { Failure, fail } from '../core/failure.ts'
import { jsonObjectOf, type Reception } from './read-json.ts'

/** Validates a body that was received. */
export function readBody(body: Reception, schema: z.ZodObject): object | Failure<'unreadable' | 'invalid'> {
  const json = jsonObjectOf(body)
  return json instanceof Failure ? json : validate(schema, json)
}

/** Validates the query of a route that takes one; the first of repeated parameters counts. */
export function readQuery(route: Route, request: HonoRequest): object | Failure<'invalid'> | undefined {
  return route.query && validate(route.query, request.query())
}

function validate(schema: z.ZodObject, value: object): object | Failure<'invalid'> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  return fail('invalid', `${issue?.path.join('.') || 'the body'}: ${issue?.message}`)
}
