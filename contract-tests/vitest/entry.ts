/** The package entry for vitest: the suite as tests of a service. */

import { z } from 'zod'
import { createOneOfSchema, createStrictObjectSchema, parseOrThrow } from '#contract/input/checked.ts'
import { variants } from '#contract/route.ts'
import { catalogue } from '../catalogue/index.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import { matchesPattern } from '../runner/selection.ts'
import { createHttpTarget } from '../targets/http.ts'
import { declareRequirementTests as declare } from './conformance.ts'

/** A service to test with vitest: its base URL, a key, and any further settings of the suite. */
export type Service = { readonly baseUrl: string } & Pick<SuiteSettings, 'apiKey'> & Partial<SuiteSettings>

const text = z.string().min(1).optional()
const number = z.number().min(0).optional()
const headers = z.record(z.string(), z.string()).optional()
const levels = ['MUST', 'SHOULD', 'MAY'] as const
const pattern = z.string().superRefine((given, context) => {
  if (!catalogue.some(({ id }) => matchesPattern(id, given)))
    context.addIssue({ code: 'custom', message: `${given} matches no requirement` })
})
const patterns = z.array(pattern).optional()

const settings = {
  baseUrl: z.url({ protocol: /^https?$/, error: 'takes a URL such as http://127.0.0.1:8080' }),
  apiKey: z.string().min(1),
  otherApiKey: text,
  sessionCookie: text,
  otherSessionCookie: text,
  freshKeys: text,
  freshSessions: text,
  statesUrl: text,
  headers,
  statesHeaders: headers,
  variant: createOneOfSchema([...variants, 'auto']).optional(),
  extended: createOneOfSchema(['auto', 'on', 'off']).optional(),
  maxCredits: number,
  readOnly: z.boolean().optional(),
  probeRateLimit: number,
  runTimeout: number,
  retryLimit: number,
  outage: number,
  consistency: number,
  timeout: number,
  concurrency: z.int().min(1).optional(),
  shared: z.boolean().optional(),
  only: patterns,
  skip: patterns,
  levels: z.array(createOneOfSchema(levels)).optional(),
  userAgent: text,
  runId: text,
} satisfies Record<keyof Service, z.ZodType>

const serviceInput = createStrictObjectSchema(settings)

/**
 * Declares one test for each requirement of the suite. `service` may be a function, which is called before the
 * first test, for example to start the service. @throws TypeError for a setting that does not exist or is not valid.
 */
export function conformance(name: string, service: Service | (() => Service | Promise<Service>)): void {
  parseOrThrow('conformance', z.string(), name)
  if (typeof service !== 'function') parseOrThrow('conformance', serviceInput, service)
  declare(name, async () => {
    const given = typeof service === 'function' ? await service() : service
    parseOrThrow('conformance', serviceInput, given)
    const { baseUrl, ...settings } = given
    return { target: createHttpTarget(baseUrl), settings }
  })
}
