/** Schemas of requests in control responses. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import type { Har } from '#traffic/har.ts'
import type { Why } from '../../control/why/why.ts'
import type { RequestRow } from '../../journal/row.ts'
import { stages } from '../../journal/stage.ts'
import type { RequestView } from '../../journal/view.ts'

const headers = z.record(z.string(), z.string())

/** A request and its response, with secrets redacted. */
export const requestView = z.object({
  number: z.int().describe('Number among all requests of the mock, from 1.'),
  id: z.string().describe('`req_…`, referenced by the ledger.'),
  at: z.iso.datetime().describe('Mock time.'),
  duration_ms: z.number().describe('Mock time until the response, ms.'),
  org_id: z.string().nullable(),
  key_id: z.string().nullable().describe('The id of the key; null: none, or a session.'),
  operation: z.enum(operationIds).nullable().describe('Null: an unknown path or method.'),
  status: z.int().describe('0: no response was sent.'),
  error: z.string().nullable().describe('The `error` code of the response.'),
  variant: z.enum(variants),
  reason: z.string().nullable().describe('The fault that applied, as in `X-Mock-Reason`.'),
  wire: z
    .string()
    .nullable()
    .describe(
      'The connection fault, such as `reset`; `abandoned`: the client closed the connection before the answer.',
    ),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headers.describe('Names in lower case.'),
    body: z.string().nullable(),
  }),
  answer: z
    .object({ headers, body: z.string() })
    .describe('The response, or what it would have been without the fault in `wire`.'),
}) satisfies z.ZodType<RequestView>

/** A request in one line. */
export const requestRow = z.object({
  number: z.int(),
  id: z.string(),
  at: z.iso.datetime(),
  duration_ms: z.number(),
  org_id: z.string().nullable(),
  operation: z.enum(operationIds).nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  wire: z.string().nullable().describe('The connection fault, such as `reset`.'),
  credits: z.number().describe('What it added to the credits of the organization, or took.'),
  decided_by: z.enum(stages),
}) satisfies z.ZodType<RequestRow>

const row = z.record(z.string(), z.unknown())

const change = z.object({
  resource: z.string(),
  id: z.string().nullable(),
  kind: z.enum(['added', 'changed']),
  before: row.nullable(),
  after: row,
  fields: z.array(z.string()),
})

/** Why a request got its answer. */
export const whyView = z.object({
  decided_by: z.enum(stages),
  sentence: z.string(),
  fault: z
    .object({
      origin: z.enum(['rule', 'prefer', 'magic']),
      rule: z.string().nullable(),
      fault: z.string().nullable(),
      remaining: z.int().nullable(),
    })
    .nullable(),
  variant: z.enum(variants),
  strict_client: z.string().nullable(),
  quirks: z
    .array(z.object({ id: z.string(), says: z.string() }))
    .describe('Those that made the answer differ.'),
  credits: z.object({ before: z.number(), after: z.number() }).nullable(),
  changes: z.array(change),
  earlier: z.array(change),
  complete: z.boolean(),
  specification: z.array(z.object({ anchor: z.string(), section: z.string(), sentence: z.string() })),
}) satisfies z.ZodType<Omit<Why, 'changes' | 'earlier'>>

/** A HAR 1.2 document. */
export const harView = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(z.looseObject({})),
  }),
}) satisfies z.ZodType<Har>
