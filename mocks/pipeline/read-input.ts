/** Validates the body and query of a request against the contract. */
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Route } from '#contract/route.ts'
import { Failure, fail } from '../core/failure.ts'
import { readJsonObject } from './read-json.ts'

/** Reads and validates the body; calls `onText` with its text. */
export async function readBody(
  request: Request,
  schema: z.ZodObject,
  onText: (text: string) => void,
): Promise<object | Failure<'unreadable' | 'invalid'>> {
  const json = await readJsonObject(request, onText)
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
