/** Effects that may show a moment late, as behind caches, queues and replicas (`--consistency`). */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, itemIn } from '../harness/expect.ts'
import type { LateKind } from '../harness/run-state.ts'
import { besideOthers, entryIn } from './keys.ts'

/** ms before the second look. */
const pause = 25
/** ms to look again for a kind of effect that did not show in full time before: later looks would show the same. */
const brief = 300

/** An effect that is looked for. */
interface Effect {
  readonly kind: LateKind
  /** What it concerns, as in "task_1 in the list". */
  readonly what: string
  /** What shares its lateness, such as an operation: missed once, it is not waited for in full again. */
  readonly source: string
  /** The request that has the effect, if there is one. */
  readonly cause?: Exchange
}

/**
 * Looks until an effect shows, for as long as it may take. Returns the first exchange that shows it, else the
 * last one. An effect that shows later than at once is recorded.
 */
export async function lookAgain(
  t: TestContext,
  { kind, what, source, cause }: Effect,
  look: () => Promise<Exchange>,
  shows: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  const since = t.target.now()
  let last = await look()
  if (shows(last)) return last
  // Beside other checks it may be missed because of what these create, so that it is looked for in full once more alone.
  const { missed } = t.run.lateness
  const beside = `${source} beside other checks`
  const isMissed = missed.has(source) || (!t.run.exclusive && missed.has(beside))
  const within = isMissed ? Math.min(brief, t.settings.consistency) : t.settings.consistency
  await t.target.sleep(Math.min(pause, within))
  const found = await t.until(since + within - t.target.now(), async () => {
    const next = await look()
    if (shows(next)) return next
    last = next
    return undefined
  })
  if (!found) missed.add(t.run.exclusive ? source : beside)
  else if (!isMissed)
    t.run.lateness.record({
      kind,
      what,
      exchanges: cause ? [cause, last, found] : [last, found],
      ms: t.target.now() - since,
    })
  return found ?? last
}

/**
 * The first list that contains an item, within the time that a list may take; else the last one. `known`: the first
 * list after the item was created, if there is one.
 */
export function listWith(
  t: TestContext,
  operation: 'listTasks' | 'listDocuments',
  id: string,
  options?: CallOptions,
  known?: Exchange,
): Promise<Exchange> {
  const seen = known ? [known] : []
  return lookAgain(
    t,
    { kind: 'list', what: id, source: `${operation} ${JSON.stringify(Object.keys(options?.query ?? {}))}` },
    async () => assumeAccepted(seen.pop() ?? (await t.call(operation, options))),
    (list) => itemIn(list, id) !== undefined,
  )
}

/** The first list that contains keys, or no longer contains one; else the last one. */
export function keyListWith(
  t: TestContext,
  keys: readonly { readonly id: string | undefined; readonly name: string }[],
  wanted: 'listed' | 'unlisted' = 'listed',
): Promise<Exchange> {
  return lookAgain(
    t,
    {
      kind: 'list',
      what: keys.map(({ name }) => `the key "${name}"`).join(' and '),
      source: `keys ${wanted}`,
    },
    async () =>
      assumeAccepted(await t.session.call('listKeys', { headers: besideOthers(t.settings.sessionCookie) })),
    (list) => keys.every((key) => (entryIn(list, key) !== undefined) === (wanted === 'listed')),
  )
}

/** The first response that does not show a deleted key to be accepted, within the grace; else the last one. */
export function afterDeletion(
  t: TestContext,
  deletion: Exchange,
  look: () => Promise<Exchange>,
): Promise<Exchange> {
  const effect = {
    kind: 'deleted key',
    what: 'a deleted key',
    source: 'deleted key',
    cause: deletion,
  } as const
  return lookAgain(t, effect, look, (exchange) => !isAccepted(exchange) && exchange.status !== 404)
}
