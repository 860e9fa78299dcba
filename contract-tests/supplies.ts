/** What the operator supplies beside a key: where it stands in the settings, and what is said where it is missing. */
import { NotExercised } from './finding.ts'
import type { Settings } from './settings.ts'

const supplies = {
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
} as const

export type Supply = keyof typeof supplies

export function isSupply(need: string): need is Supply {
  return Object.hasOwn(supplies, need)
}

/** What to say where something was not supplied; undefined where it was. */
export function lackOf(settings: Settings, need: Supply): NotExercised | undefined {
  return settings[supplies[need].setting] ? undefined : missing(need)
}

/** What was supplied. @throws NotExercised that names what was not. */
export function supplied(settings: Settings, need: Supply): string {
  const value = settings[supplies[need].setting]
  if (!value) throw missing(need)
  return value
}

function missing(need: Supply): NotExercised {
  const { what, how } = supplies[need]
  return new NotExercised(`it needs ${what}`, how)
}
