/** What the operator may supply besides an API key, and what to report if it is missing. */
import { NotExercised } from '../client/check-errors.ts'
import type { Settings } from './settings.ts'
import type { OperatorInput } from './terms.ts'

const inputs = {
  other_key: {
    setting: 'otherApiKey',
    what: 'the key of a second organization',
    how: '--other-api-key K',
  },
  session: {
    setting: 'sessionCookie',
    what: 'a browser session',
    how: "--session-cookie 'name=value'",
  },
  other_session: {
    setting: 'otherSessionCookie',
    what: 'a browser session of a second organization',
    how: "--other-session-cookie 'name=value'",
  },
} as const satisfies Record<OperatorInput, object>

export function isOperatorInput(need: string): need is OperatorInput {
  return Object.hasOwn(inputs, need)
}

/** The error to report if an input was not supplied; undefined if it was. */
export function missingInput(settings: Settings, need: OperatorInput): NotExercised | undefined {
  return settings[inputs[need].setting] ? undefined : missing(need)
}

/** The value of an input. @throws NotExercised if it was not supplied. */
export function supplied(settings: Settings, need: OperatorInput): string {
  const value = settings[inputs[need].setting]
  if (!value) throw missing(need)
  return value
}

function missing(need: OperatorInput): NotExercised {
  const { what, how } = inputs[need]
  return new NotExercised(`it needs ${what}`, how)
}
