/** Whether the specification promises that a request is accepted, or at least that it is valid. */
import { routeOf } from '#contract/operation.ts'
import type { Answered } from '../event.ts'
import { isBefore, spanOf } from '../matching.ts'
import type { Organization } from '../state.ts'

/**
 * `accepted`: nothing that is known of the service lets it refuse the request as bad input.
 * `documented`: of the documented form, but it may be refused: an unknown thing, a restricted `kind`, a long text.
 * Undefined: odd or malformed.
 */
type Validity = 'accepted' | 'documented' | undefined

/** Longest text that every service takes, characters: how long one may be is not published. */
const longest = 64
/** An id as services make them. */
const plainId = /^[\w.:~-]{1,64}$/

const isText = (value: unknown): value is string => typeof value === 'string'
const isPlain = (text: string) => text.length <= longest && text.trim() !== '' && !/\p{C}/u.test(text)

/** Body fields whose plain texts every service takes. */
const alwaysTaken: readonly string[] = ['text', 'title', 'name', 'content_md', 'summary', 'business_name']

/** How valid a request is by what the history shows of it. */
export function validityOf(event: Answered, org: Organization): Validity {
  const ways = [ofBody(event, org), ofQuery(event), ofResource(event, org)]
  if (ways.includes(undefined)) return undefined
  return ways.includes('documented') ? 'documented' : 'accepted'
}

function ofBody({ operation, body, sent }: Answered, org: Organization): Validity {
  const schema = routeOf(operation).body
  if (!schema) return body === undefined ? 'accepted' : undefined
  if (typeof body !== 'object' || body === null || !schema.safeParse(body).success) return undefined
  const fields = Object.entries(body)
  if (fields.some(([name]) => !Object.hasOwn(schema.shape, name))) return undefined
  const texts = fields.map(([, value]) => value)
  if (!texts.filter(isText).every((text) => text.isWellFormed() && !text.includes('\0'))) return undefined
  const isTaken = fields.every(
    ([name, value]) => alwaysTaken.includes(name) && isText(value) && isPlain(value),
  )
  return isTaken && !mayBeTooMany(operation, org, sent.place) ? 'accepted' : 'documented'
}

/** Whether a service may refuse one more: how many keys and pages there may be is not published. */
function mayBeTooMany(operation: Answered['operation'], { keys, pages, creating }: Organization, at: number) {
  if (operation !== 'createKey' && operation !== 'createLandingPage') return false
  const isOpen = creating.some((one) => one.operation === operation && one.from.place < at)
  return isOpen || (operation === 'createKey' ? keys : pages).size > 0
}

function ofQuery({ operation, query = {} }: Answered): Validity {
  const names = Object.keys(query)
  if (names.length === 0) return operation === 'getInsights' ? 'documented' : 'accepted'
  if (!routeOf(operation).query?.safeParse(query).success) return undefined
  if (!Object.values(query).every(isPlain)) return undefined
  return operation === 'listDocuments' && names.join() === 'all' ? 'accepted' : 'documented'
}

function ofResource(event: Answered, { tasks, documents, notifications, keys }: Organization): Validity {
  const { operation, resource } = event
  if (resource === undefined) return routeOf(operation).path.includes(':id') ? undefined : 'accepted'
  const at = spanOf(event)
  const exists = () => {
    switch (operation) {
      case 'getTask':
        return tasks.get(resource)?.born
      case 'getDocument':
        return documents.get(resource)?.born
      case 'readNotification':
        return notifications.get(resource)?.seen
      case 'deleteKey':
        return [...keys.values()].findLast(({ id, deletions, foreign }) => {
          const earlier = [...deletions, ...foreign].filter(({ by }) => by !== event.id)
          return id === resource && earlier.length === 0
        })?.born
      default:
        return undefined
    }
  }
  const known = exists()
  if (known && isBefore(known, at)) return 'accepted'
  return plainId.test(resource) ? 'documented' : undefined
}
