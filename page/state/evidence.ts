/** Requests that a report names. Ids are deterministic, so those of a report from elsewhere may be other requests here. */
import { open } from './address.ts'
import { findRows } from './history.ts'
import { attempt } from './notices.ts'

/** Opens the request with an id that was sent at a moment of mock time; otherwise says that it is not here. */
export const openEvidence = (id: string, at: string): Promise<boolean> =>
  attempt(id, async () => {
    const row = (await findRows(id)).find((one) => one.id === id && one.at === at)
    if (!row) throw new Error('not in this mock; its requests are in the mock that the report is about')
    open('requests', { n: row.number, until: row.number })
  })
