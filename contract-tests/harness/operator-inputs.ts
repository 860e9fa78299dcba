/** What the operator supplies beside a key: where it stands in the settings, and what is said where it is missing. */
import { NotExercised } from '../client/finding.ts'
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

/** What to say where something was not supplied; undefined where it was. */
export function lackOf(settings: Settings, need: OperatorInput): NotExercised | undefined {
  return settings[inputs[need].setting] ? undefined : missing(need)
}

/** What was supplied. @throws NotExercised that names what was not. */
export function supplied(settings: Settings, need: OperatorInput): string {
  const value = settings[inputs[need].setting]
  if (!value) throw missing(need)
  return value
}

function missing(need: OperatorInput): NotExercised {
  const { what, how } = inputs[need]
  return new NotExercised(`it needs ${what}`, how)
}
