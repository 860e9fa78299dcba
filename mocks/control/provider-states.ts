/** Provider states: what an operator arranges and no client can. The protocol is in `docs/provider-states.md`. */
import { z } from 'zod'
import type { Organization } from '../core/organization.ts'

interface State<P extends z.ZodObject = z.ZodObject> {
  readonly params: P
  setup(org: Organization, params: z.output<P>, now: number): void
  teardown(org: Organization, now: number): void
}

function state<P extends z.ZodObject>(declaration: State<P>): State {
  return declaration as unknown as State
}

/** A year: the end of a window is a date that `Retry-After` can tell. */
const longestWindow_s = 31_536_000

const nothing = () => undefined
const none = z.object({})

/** Every state that the mock offers, by name. */
export const states: Readonly<Record<string, State>> = {
  credits: state({
    params: z.object({ credits: z.number().min(0) }),
    setup: (org, { credits }, now) => org.ledger.setBalance(credits, now),
    teardown: nothing,
  }),
  agent_idle: state({
    params: none,
    setup: (org, _, now) => org.agent.finishAll(now),
    teardown: nothing,
  }),
  agent_busy: state({
    params: z.object({ duration_ms: z.number().min(0) }),
    setup: (org, { duration_ms }, now) => org.agent.busyUntil(now + duration_ms),
    teardown: (org, now) => org.agent.freeOtherWork(now),
  }),
  next_run_fails: state({
    params: none,
    setup: (org) => arrange(org, { next_run_fails: true }),
    teardown: (org) => arrange(org, { next_run_fails: false }),
  }),
  next_creative_fails: state({
    params: none,
    setup: (org) => arrange(org, { next_creative_fails: true }),
    teardown: (org) => arrange(org, { next_creative_fails: false }),
  }),
  unavailable: state({
    params: none,
    setup: (org) => arrange(org, { unavailable: true }),
    teardown: (org) => arrange(org, { unavailable: false }),
  }),
  rate_limit: state({
    params: z.object({ limit: z.int().min(0), window_s: z.number().positive().max(longestWindow_s) }),
    setup(org, { limit, window_s }) {
      org.limiter.clear()
      arrange(org, { rate_limit: { limit, window_ms: window_s * 1_000 } })
    },
    teardown(org) {
      org.limiter.clear()
      arrange(org, { rate_limit: null })
    },
  }),
  unread_notification: state({
    params: none,
    setup: (org, _, now) => void org.notify('notice', 'Notice', 'Something happened.', null, now),
    teardown: nothing,
  }),
}

function arrange(org: Organization, change: Partial<Organization['overrides']>): void {
  Object.assign(org.overrides, change)
}

/** A request of the protocol. */
export const stateRequest = z.object({
  state: z.string().describe('One of those that `GET /states` lists.'),
  params: z
    .looseObject({ org_id: z.union([z.string(), z.number()]).optional() })
    .describe('`org_id` as `whoami` reports it, and what the state asks for.'),
  action: z.enum(['setup', 'teardown']),
})
