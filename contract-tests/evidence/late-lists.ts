/** Lists that may show a new entry a moment late, as behind caches and replicas. */
import type { Exchange } from '#traffic/exchange.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, itemIn } from '../harness/expect.ts'

/** ms before the second look. */
const pause = 25

/** The first list that contains an item, within the time that a list may take; else the last one. */
export async function listWith(
  t: TestContext,
  operation: 'listTasks' | 'listDocuments',
  id: string,
  options?: CallOptions,
): Promise<Exchange> {
  const look = async () => assumeAccepted(await t.call(operation, options))
  let last = await look()
  if (itemIn(last, id) !== undefined) return last
  const since = t.target.now()
  await t.target.sleep(pause)
  const found = await t.until(t.settings.consistency, async () => {
    const list = await look()
    if (itemIn(list, id) !== undefined) return list
    last = list
    return undefined
  })
  if (found) t.run.lateLists.push({ lists: [last, found], id, ms: t.target.now() - since })
  return found ?? last
}
