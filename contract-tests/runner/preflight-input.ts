/** The inputs of an operator by name, and the error for one that does not work. */

/** The flag and the variable of each input. */
const names = {
  baseUrl: '--base-url (WORK_AGENT_BASE_URL)',
  apiKey: '--api-key (WORK_AGENT_API_KEY)',
  otherApiKey: '--other-api-key (WORK_AGENT_OTHER_API_KEY)',
  sessionCookie: '--session-cookie (WORK_AGENT_SESSION_COOKIE)',
  otherSessionCookie: '--other-session-cookie (WORK_AGENT_OTHER_SESSION_COOKIE)',
  statesUrl: '--states-url (WORK_AGENT_STATES_URL)',
} as const

export type InputName = keyof typeof names

/** An input cannot be used; the message names it and what came, in one line. */
export class UnusableInput extends Error {
  constructor(input: InputName, what: string) {
    super(`${names[input]}: ${what}`)
  }
}
