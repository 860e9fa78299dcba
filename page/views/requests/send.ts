/** Sends a request again, as it was or edited, and opens what came of it. */
import { change, goAfter } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'

/** What replaces the fields of the request; missing: they stay. */
export interface Edited {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends it; the new request is then the one that is shown. */
export const sendAgain = (number: number, edited: Edited = {}): Promise<boolean> =>
  attempt('Send again', () =>
    goAfter(control<{ number: number }>(`POST /requests/${number}/send`, { body: edited }), (sent) =>
      change({ n: sent.number, until: sent.number, edit: undefined }),
    ),
  )
