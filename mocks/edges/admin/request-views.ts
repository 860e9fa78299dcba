/** The shapes in which control routes show requests. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import type { Har } from '#traffic/har.ts'
import type { RequestView } from '../../journal/view.ts'

const headers = z.record(z.string(), z.string())

/** A request and its answer, without secrets. */
export const requestView = z.object({
  number: z.int().describe('Place among all requests of the mock, from 1.'),
  id: z.string().describe('`req_…`: what the ledger refers to.'),
  at: z.iso.datetime().describe('Mock time.'),
  duration_ms: z.number().describe('ms of mock time until the answer.'),
  org_id: z.string().nullable(),
  key_id: z.string().nullable().describe('The key by its id; null: none, or a session.'),
  operation: z.enum(operationIds).nullable().describe('Null: no operation.'),
  status: z.int().describe('0: no answer was sent.'),
  error: z.string().nullable().describe('The `error` code of the answer.'),
  variant: z.enum(variants),
  reason: z.string().nullable().describe('Which fault was at work, as `X-Mock-Reason` says.'),
  wire: z.string().nullable().describe('What happened to the connection, such as `reset`.'),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headers.describe('Names in lower case.'),
    body: z.string().nullable(),
  }),
  answer: z
    .object({ headers, body: z.string() })
    .describe('What was answered, or would have been where `wire` says otherwise.'),
}) satisfies z.ZodType<RequestView>

/** A HAR 1.2 document. */
export const harView = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(z.looseObject({})),
  }),
}) satisfies z.ZodType<Har>
