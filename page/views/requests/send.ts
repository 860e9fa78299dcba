/** Sends a request again, as it was or edited, and opens what came of it. */
import { change, goAfter } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'
import { organization } from '../../state/overview.ts'

/** What replaces the fields of the request; missing: they stay. */
export interface Edited {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Opens a request that was sent. */
const open = (sent: Promise<{ readonly number: number }>) =>
  attempt('Send', () => goAfter(sent, ({ number }) => change({ n: number, until: number, edit: undefined })))

/** Sends a simple request of the organization, where there is none to send again. */
export const sendFirst = (): Promise<boolean> => {
  const org_id = organization.peek()?.org_id
  return open(control('POST /requests/send', { body: { org_id, method: 'GET', path: '/api/cli/whoami' } }))
}

/** Sends it; the new request is then the one that is shown. */
export const sendAgain = (number: number, edited: Edited = {}): Promise<boolean> =>
  open(control(`POST /requests/${number}/send`, { body: edited }))
