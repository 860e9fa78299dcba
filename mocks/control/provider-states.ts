/** Provider states: states that an operator sets up and no client can reach (docs/provider-states.md). */

import { z } from 'zod'
import { createStrictObjectSchema } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import type { ProviderState } from '#contract/provider-state.ts'
import { maxCreditChange } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import { durationMsSchema } from '../core/resources.ts'

interface State<P extends z.ZodObject> {
  readonly params: P
  setup(org: Organization, params: z.output<P>, now: number): void
  teardown(org: Organization, now: number): void
}

/** Schema of the parameters of a provider state, and of the id of the organization that it is set up for. */
const paramsOf = <S extends z.ZodRawShape>(shape: S) => createStrictObjectSchema({ ...shape, org_id })

const org_id = z.union([z.string(), z.number()]).optional()

const nothing = { params: paramsOf({}), teardown: () => undefined }

/** Declares a provider state; by default it takes no parameters, and nothing is to be undone. */
const state = <P extends z.ZodObject = typeof nothing.params>(
  declaration: Pick<State<P>, 'setup'> & Partial<State<P>>,
) => ({ ...nothing, ...declaration }) as unknown as State<z.ZodObject>

/** The longest rate limit window: a year, so that `Retry-After` can express its end as a date. */
const longestWindow_s = 31_536_000

const flag = (name: 'next_run_fails' | 'next_creative_fails' | 'unavailable') =>
  state({
    setup: (org) => org.override({ [name]: true }),
    teardown: (org) => org.override({ [name]: false }),
  })

/** The parameters of each provider state, and the functions that set it up and tear it down. */
export const providerStateActions: Readonly<Record<ProviderState, State<z.ZodObject>>> = {
  credits: state({
    params: paramsOf({ credits: z.number().min(0).max(maxCreditChange) }),
    setup: (org, { credits }, now) => org.ledger.setBalance(credits, now),
  }),
  agent_idle: state({ setup: (org, _, now) => org.agent.finishAll(now) }),
  agent_busy: state({
    params: paramsOf({ duration_ms: durationMsSchema }),
    setup: (org, { duration_ms }, now) => org.agent.busyUntil(now + duration_ms),
    teardown: (org, now) => org.agent.freeOtherWork(now),
  }),
  next_run_fails: flag('next_run_fails'),
  next_creative_fails: flag('next_creative_fails'),
  unavailable: flag('unavailable'),
  rate_limit: state({
    params: paramsOf({ limit: z.int().min(0), window_s: z.number().positive().max(longestWindow_s) }),
    setup(org, { limit, window_s }) {
      org.limiter.clear()
      org.override({ rate_limit: { limit, window_ms: window_s * 1_000 } })
    },
    teardown(org) {
      org.limiter.clear()
      org.override({ rate_limit: null })
    },
  }),
  answer_lost: state({
    params: paramsOf({ operation: z.enum(operationIds) }),
    setup: (org, { operation }) => org.override({ answer_lost: operation }),
    teardown: (org) => org.override({ answer_lost: null }),
  }),
  unread_notification: state({
    setup: (org, _, now) => void org.notify('notice', 'Notice', 'Something happened.', null, now),
  }),
}

/** Schemas of the fields of a control call that sets up a provider state or tears it down. */
export const providerStateRequestFieldSchemas = {
  state: z.string().describe('A state that `GET /states` lists.'),
  params: z
    .looseObject({ org_id })
    .describe('`org_id`, as `whoami` reports it, and the parameters of the state.'),
  action: z.enum(['setup', 'teardown']),
}
