/** Refuses requests whose organization another mock of a fleet has. */
import { operationIds, routeOf } from '#contract/operation.ts'
import {
  misdirectedRequestText,
  type ServedSlots,
  servesSlot,
  slotOfOrganizationName,
} from '../config/slots.ts'
import type { Answer } from '../handlers/respond.ts'
import { apiKeyPrefix, sessionTokenIn, sessionTokenPrefix } from '../tenants/tenant.ts'
import type { ReceivedRequest } from './received-request.ts'

/** The path prefixes of the routes that take a session and not a key (§5). */
export const sessionPathPrefixes: readonly string[] = [
  ...new Set(
    operationIds
      .map(routeOf)
      .flatMap(({ auth, path }) => (auth === 'cookie' ? path.replace(/\/:.*/, '') : [])),
  ),
]

/** A key that a mock has made, with its slot at the end. */
const madeKey = /^wak_live_\w+_(\d+)$/

/** Returns the slot that a request is for; undefined if there is none, as for a request without a credential. */
function slotOfRequest(request: ReceivedRequest, total: number): number | undefined {
  if (request.path.startsWith('/artifacts/')) {
    const carried = request.query().slot
    return carried === undefined ? undefined : Number(carried)
  }
  if (sessionPathPrefixes.some((path) => request.path.startsWith(path))) {
    const token = sessionTokenIn(request)
    return token === undefined
      ? undefined
      : slotOfOrganizationName(token.replace(sessionTokenPrefix, ''), total)
  }
  const [, key] = /^bearer\s+(.*)$/i.exec(request.header('authorization') ?? '') ?? []
  if (key === undefined) return undefined
  const [, made] = madeKey.exec(key) ?? []
  return made === undefined ? slotOfOrganizationName(key.replace(apiKeyPrefix, ''), total) : Number(made)
}

/** The answer to a request whose organization another mock of the fleet has; undefined if it is for this mock. */
export function misdirectedAnswer(request: ReceivedRequest, slots: ServedSlots): Answer | undefined {
  const slot = slotOfRequest(request, slots.total)
  if (slot === undefined || servesSlot(slots, slot)) return undefined
  const body = { error: 'misdirected', message: misdirectedRequestText(slots, slot) }
  return { status: 421, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }
}
