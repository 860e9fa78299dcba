/** A task after its run: read several times, and run again. */
import type { TestContext } from '../harness/context.ts'
import { assumeCredits, restingCredits } from './credits.ts'
import { endedRun, isTaken, readTask, requestRun, waitForEnd, waitForIdleAgent } from './runs.ts'

/** A finished task read several times, and the list. */
export const finishedTask = (t: TestContext) =>
  t.evidence('after the run', async () => {
    const { id, end } = await endedRun(t)
    const readings = [end, await readTask(t, id)]
    await t.target.sleep(40)
    return { id, readings, list: await t.call('listTasks'), last: await readTask(t, id) }
  })

/** A finished task run again. */
export const secondRun = (t: TestContext) =>
  t.evidence('second run', async () => {
    const first = await endedRun(t)
    await finishedTask(t)
    await waitForIdleAgent(t)
    t.budget.allow(1)
    const before = await assumeCredits(t, 1)
    const answer = await requestRun(t, first.id)
    const end = isTaken(answer) ? await waitForEnd(t, first.id, 'a second run to end') : undefined
    return { first, before, answer, end, after: await restingCredits(t) }
  })
