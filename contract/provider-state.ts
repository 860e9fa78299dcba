/** The provider states of docs/provider-states.md: states that no client can bring about through the API. */
export const providerStates = [
  'credits',
  'agent_idle',
  'agent_busy',
  'next_run_fails',
  'next_creative_fails',
  'unavailable',
  'rate_limit',
  'unread_notification',
  'answer_lost',
] as const

/** A state that the operator of a service can set up for a test. */
export type ProviderState = (typeof providerStates)[number]
