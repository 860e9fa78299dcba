/** What answers teach about landing pages. */
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { isBefore, spanOf, textAt } from '../matching.ts'
import type { Organization } from '../state.ts'

/** A later creation may be answered with the same page. */
export function learnCreatedPage(org: Organization, event: Answered): void {
  const { json } = event.answer
  const id = idOf(field(json, 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const known = org.pages.get(id)
  const changed = spanOf(event)
  const isLast = !known || isBefore(known.changed, changed)
  const name = isLast ? textAt(json, 'business_name') : undefined
  org.pages.set(id, { born: known?.born ?? changed, changed, name })
}
