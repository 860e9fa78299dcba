/** The organization that `whoami` reports. */
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'

/** The organization id in a response of `whoami`. @throws NotExercised if there is none. */
export function reportedOrgId(whoami: Exchange): string {
  const id = isAccepted(whoami) ? idOf(field(whoami.json, 'org', 'id')) : undefined
  if (id === undefined) throw new NotExercised('whoami returns no org.id')
  return id
}
