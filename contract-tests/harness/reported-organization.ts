/** The organization that `whoami` reports. */
import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'

/** The organization id of a caller. @throws NotExercised if `whoami` returns none. */
export async function reportedOrgId(client: Client): Promise<string> {
  const exchange = await client.call('whoami')
  const id = isAccepted(exchange) ? idOf(field(exchange.json, 'org', 'id')) : undefined
  if (id === undefined) throw new NotExercised('whoami returns no org.id')
  return id
}
