/** Terms that settings, requirements and reports share. */

/** How strictly a requirement is meant (RFC 2119). */
export type Level = 'MUST' | 'SHOULD'

/** Credentials that an operator may supply besides a key. */
export type OperatorInput = 'other_key' | 'session' | 'other_session'

/** The provider states of the protocol. */
export type StateName =
  | 'credits'
  | 'agent_idle'
  | 'agent_busy'
  | 'next_run_fails'
  | 'next_creative_fails'
  | 'unavailable'
  | 'rate_limit'
  | 'unread_notification'

/** What a requirement needs from the operator besides a base URL and an API key. */
export type Need = OperatorInput | `state:${StateName}`
