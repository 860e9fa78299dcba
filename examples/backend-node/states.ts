/** Provider states: with them the suite tests what no client can cause. Not for production. */
import type { Agent } from './agent.ts'
import type { Database } from './database.ts'
import { problem } from './problem.ts'

const switches = ['next_run_fails', 'next_creative_fails', 'unavailable']
const others = ['credits', 'agent_idle', 'agent_busy', 'rate_limit', 'unread_notification', 'answer_lost']

/** The requests whose answer can be lost, by their operation. */
const losable: Record<string, RegExp> = {
  runTask: /^POST .+\/tasks\/[^/]+\/run$/,
  generateCreative: /^POST .+\/creative\/generate$/,
}

/** True if a provider state has asked to lose the answer to this request; it is lost only once. */
export function losesAnswer(db: Database, org: unknown, request: string): boolean {
  const isMeant = losable[String(db.organization(org).answer_lost)]?.test(request) === true
  if (isMeant) db.set(org, 'answer_lost', null)
  return isMeant
}

/** Sets up or tears down the provider state that a request to the states URL names. */
export async function changeState(db: Database, agent: Agent, body: Record<string, unknown>) {
  const { state, action } = body as Record<string, string>
  if (![...switches, ...others].includes(state ?? '')) throw problem(404, 'not_found', 'No such state.')
  const { org_id: org, operation, ...numbers } = (body.params ?? {}) as Record<string, number>
  const isLosable =
    state !== 'answer_lost' || action === 'teardown' || Object.hasOwn(losable, String(operation))
  const isKnown = db.organization(org) && (action === 'setup' || action === 'teardown') && isLosable
  if (!isKnown || Object.values(numbers).some((one) => !(one >= 0))) {
    throw problem(400, 'invalid_request', 'The action or a parameter is invalid.')
  }
  const isSetup = action === 'setup'
  if (switches.includes(state ?? '')) db.set(org, state ?? '', Number(isSetup))
  if (state === 'credits' && isSetup) db.set(org, 'credits', numbers.credits)
  if (state === 'agent_idle' && isSetup) await agent.untilIdle(org)
  if (state === 'agent_busy') agent.occupy(org, isSetup ? (numbers.duration_ms ?? 0) : 0)
  if (state === 'unread_notification' && isSetup) db.notify(org, 'Welcome!')
  if (state === 'answer_lost') db.set(org, 'answer_lost', isSetup ? operation : null)
  if (state === 'rate_limit') {
    db.set(org, 'rate_limit', isSetup ? numbers.limit : null)
    db.set(org, 'rate_window', isSetup ? numbers.window_s : null)
  }
  return { ok: true }
}
