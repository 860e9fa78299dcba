/** Runs that checks waited for in vain, whatever the checks were about: one that never ends is a violation where it stands. */
import { field, idOf } from '#traffic/exchange.ts'
import { skip, Unreachable, Violation } from '../client/check-errors.ts'
import { newTask } from '../evidence/resources.ts'
import { isBusy, isTaken, readTask, requestRun } from '../evidence/runs.ts'
import { seesStrangers } from '../evidence/strangers.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeItems, show } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'

/** A requirement that is violated, and how. */
interface Unended {
  readonly id: 'RUN-ENDS' | 'BUSY-STARTS'
  readonly violation: Violation
}

/** The first run of an organization that never ends although it was waited for again; undefined: there is none. */
export async function findUnended(t: TestContext): Promise<Unended | undefined> {
  for (const one of t.all) {
    if (t.run.unreachable !== undefined || seesStrangers(t)) return undefined
    const found = one.unended.size > 0 ? await neverEnded(one).catch(orLeave) : undefined
    if (found) return found
  }
  return undefined
}

/** What keeps it from being found; a service that has gone away says nothing. */
const orLeave = (error: unknown) => (error instanceof Unreachable ? undefined : skip(error))

async function neverEnded(t: TestContext): Promise<Unended | undefined> {
  const { unended, settings, states } = t
  // An agent that a state keeps busy explains it.
  if (states.mayOffer('agent_busy'))
    await states.teardown('agent_busy', { org_id: await t.orgId() }).catch(() => undefined)
  await t.until(settings.runTimeout, async () => {
    for (const id of [...unended.keys()]) if ((await readTask(t, id)).finished) unended.delete(id)
    return unended.size === 0 || undefined
  })
  // Those behind it may wait for it.
  const [first] = [...unended].toSorted(([, a], [, b]) => a.number - b.number)
  if (!first) return undefined
  const [id, answer] = first
  const before = await readTask(t, id)
  // Somebody else may keep the agent busy, unless it works on this run, or has done another one since, or nobody shows.
  const others = await tasksOfOthers(t)
  if (before.status !== 'in_progress' && !(await anotherEnds(t)) && (await tasksOfOthers(t)) !== others)
    return undefined
  const last = await readTask(t, id)
  if (before.finished || last.finished || seesStrangers(t)) return undefined
  const within = `within ${settings.runTimeout / 1_000} s (--run-timeout), or as long again at the end of the test`
  const actual = `finished: ${last.finished}, status ${show(last.status)}`
  const isWaiting = isBusy(answer)
  return {
    id: isWaiting ? 'BUSY-STARTS' : 'RUN-ENDS',
    violation: new Violation(
      `finished: true ${within}${isWaiting ? ', by itself' : ''}`,
      actual,
      answer,
      last.exchange,
    ),
  }
}

/** What a list shows of the tasks that the run has not created; of one in progress nothing is the same twice. */
async function tasksOfOthers(t: TestContext): Promise<string | symbol> {
  const created = new Set(t.recorder.exchanges.map(createdId))
  const others = assumeItems(await t.call('listTasks')).filter(
    (item) => !created.has(idOf(field(item, 'id'))),
  )
  const isActive = others.some((item) => field(item, 'status') === 'in_progress')
  return isActive
    ? Symbol('active')
    : JSON.stringify(others.map((item) => [field(item, 'id'), field(item, 'status')]))
}

/** Whether a new run ends. */
async function anotherEnds(t: TestContext): Promise<boolean> {
  const { id } = await newTask(t)
  if (!isTaken(await requestRun(t, id))) return false
  const end = () => readTask(t, id).then(({ finished }) => finished || undefined)
  return (await t.until(t.settings.runTimeout, end)) === true
}
