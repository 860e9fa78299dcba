/** §3 States and transitions, §4 Tasks: a run from its request to its end. */

import { brief, type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import {
  expectSpent,
  needCredits,
  needQuietBalance,
  readCredits,
  restingCredits,
} from '../evidence/credits.ts'
import { readBack, sharedTask } from '../evidence/resources.ts'
import {
  endedRun,
  isBusy,
  isTaken,
  look,
  ordinaryRun,
  possibleCosts,
  RunRefused,
  requestRun,
  rest,
  TaskLost,
  waitForEnd,
} from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import {
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  refusals,
  show,
} from '../harness/expect.ts'
import { observation, probe, type Requirement } from '../harness/requirement.ts'
import { taskIn } from './tasks.ts'

const paid = { writes: true, alone: true, cost: 1 } as const

/** A field of the run's answer; the answer must be a success that has it. */
function answered(answer: Exchange, name: string): unknown {
  if (!isAccepted(answer))
    throw new NotExercised('the run had to wait (409 busy), so its answer tells nothing more')
  const value = field(answer.json, name)
  if (value === undefined) throw new NotApplicable(`the answer is of the other variant: it has no ${name}`)
  return value
}

/** A finished task looked at again and again, and in the list. */
const afterwards = (t: TestContext) =>
  t.evidence('after the run', async () => {
    const { id, end } = await endedRun(t)
    const looks = [end]
    for (let i = 0; i < 3; i++) {
      looks.push(await look(t, id))
      await t.target.sleep(20)
    }
    return { id, looks, list: await t.call('listTasks'), last: await look(t, id) }
  })

/** A finished task, run once more. */
const secondRun = (t: TestContext) =>
  t.evidence('second run', async () => {
    const first = await endedRun(t)
    await afterwards(t)
    await rest(t)
    t.budget.allow(1)
    await needCredits(t, 1)
    const before = await readCredits(t)
    const answer = await requestRun(t, first.id)
    const end = isTaken(answer) ? await waitForEnd(t, first.id) : undefined
    return { first, before, answer, end, after: await restingCredits(t) }
  })

/** A task that runs, or has run, can be looked at as any other: without that a client would poll in vain. */
async function judged<T>(t: TestContext, story: Promise<T>): Promise<T> {
  try {
    return await story
  } catch (error) {
    if (!(error instanceof TaskLost)) throw error
    await readBack(t, 'getTask', (await sharedTask(t)).id)
    throw new Violation('the task that was run', brief(error.exchange), error.exchange)
  }
}

export const runs: Requirement[] = [
  probe(
    'RUN-ACCEPTED',
    'MUST',
    '§3',
    'runTask',
    'With a credit to spend, a run is accepted: a success, or 409 busy.',
    async (t) => {
      try {
        await ordinaryRun(t)
      } catch (error) {
        if (!(error instanceof RunRefused)) throw error
        if (error.exchange.status === 402) await needQuietBalance(t, 'whoami')
        throw new Violation(
          `a success, or 409 busy, with ${error.credits} credits`,
          brief(error.exchange),
          error.exchange,
        )
      }
    },
    paid,
  ),

  probe(
    'RUN-TASK-ID',
    'MUST',
    '§2, §4',
    'runTask',
    'taskId of the answer is the id of the task (first variant).',
    async (t) => {
      const { id, answer } = await ordinaryRun(t)
      expectSame(idOf(answered(answer, 'taskId')), id, 'taskId', answer)
    },
    paid,
  ),

  probe(
    'RUN-OK',
    'MUST',
    '§4',
    'runTask',
    'ok of an accepted run is true (second variant).',
    async (t) => {
      const { answer, early } = await ordinaryRun(t)
      const ok = answered(answer, 'ok')
      if (early.finished || typeof ok !== 'boolean')
        throw new NotExercised('the run ended at once; ok may tell its outcome')
      expectSame(ok, true, 'ok', answer)
    },
    paid,
  ),

  probe(
    'RUN-ID-UNIQUE',
    'MUST',
    '§2',
    'runTask',
    'Each run has a runId of its own (second variant).',
    async (t) => {
      const { first, answer } = await secondRun(t)
      const [a, b] = [idOf(answered(first.answer, 'runId')), idOf(answered(answer, 'runId'))]
      expectThat(a !== b, 'two run ids', `${a} twice`, first.answer, answer)
    },
    { ...paid, cost: 2 },
  ),

  probe(
    'RUN-ENDS',
    'MUST',
    '§3.1',
    'getTask',
    'A polled task becomes finished when its run has ended.',
    async (t) => {
      const { id, end, answer } = await judged(t, ordinaryRun(t))
      if (end) return
      const last = await look(t, id)
      throw new Violation(
        `finished: true within ${t.settings.runTimeout / 1_000} s (--run-timeout)`,
        `finished: ${last.finished}, status ${show(last.status)}`,
        answer,
        last.exchange,
      )
    },
    paid,
  ),

  probe(
    'RUN-ANSWER-FINISHED',
    'MUST',
    '§2, §4',
    'runTask',
    'A run that is answered as finished is finished when it is looked at (first variant).',
    async (t) => {
      const { answer, early } = await ordinaryRun(t)
      if (answered(answer, 'finished') !== true) return 'it was answered as unfinished'
      expectSame(early.finished, true, 'finished', answer, early.exchange)
      return undefined
    },
    paid,
  ),

  probe(
    'RUN-FINISHED-STAYS',
    'MUST',
    '§3.1',
    'getTask',
    'A finished task stays finished.',
    async (t) => {
      const { looks, last } = await judged(t, afterwards(t))
      for (const { finished, exchange } of [...looks, last]) expectSame(finished, true, 'finished', exchange)
    },
    paid,
  ),

  probe(
    'RUN-LISTED-STATUS',
    'MUST',
    '§2',
    'listTasks',
    'The list gives a finished task the same status as its own route.',
    async (t) => {
      const { id, list, last } = await afterwards(t)
      const listed = need(field(taskIn(needAccepted(list), id), 'status'), 'status in the list')
      expectSame(listed, need(last.status || undefined, 'status'), 'status', list, last.exchange)
    },
    paid,
  ),

  probe(
    'RUN-KEEPS-TASK',
    'MUST',
    '§2',
    'getTask',
    'A run leaves the text of its task as it was.',
    async (t) => {
      const { id, end } = await endedRun(t)
      const created = t.recorder.exchanges.find(
        (one) => one.operation === 'createTask' && idOf(field(one.json, 'task', 'id')) === id,
      )
      const text = field(need(created, 'the creation of the task').json, 'task', 'text')
      expectSame(field(end.exchange.json, 'task', 'text'), text, 'task.text', end.exchange)
    },
    paid,
  ),

  probe(
    'RUN-AGAIN',
    'MUST',
    '§3',
    'runTask',
    'A finished task may run again, for another credit, or is refused as invalid_request.',
    async (t) => {
      const { before, answer, end, after } = await secondRun(t)
      if (!isTaken(answer)) {
        expectRefused(answer, refusals.badInput)
        await expectSpent(t, 0, { before, after }, 'by the run that was refused', answer)
        return undefined
      }
      if (isBusy(answer)) throw new NotExercised('the second run had to wait')
      if (!end) throw new Violation('finished: true again within --run-timeout', 'it is not', answer)
      const wanted = await possibleCosts(t, [end])
      await expectSpent(t, wanted, { before, after }, 'by the second run', answer)
      return undefined
    },
    { ...paid, quiet: true, cost: 2 },
  ),

  observation(
    'RUN-IN-PROGRESS-UNFINISHED',
    'MUST',
    '§2, §3',
    null,
    'A task in_progress is not finished: its work is still going.',
    ({ exchanges }) => {
      const seen = exchanges.filter(({ operation, json }) =>
        operation === 'getTask'
          ? field(json, 'task', 'status') === 'in_progress'
          : operation === 'runTask' && field(json, 'status') === 'in_progress',
      )
      if (seen.length === 0) throw new NotExercised('no task was seen in_progress', '--max-credits 1 or more')
      const wrong = seen.find(({ json }) => field(json, 'finished') === true)
      if (wrong) throw new Violation('finished: false', 'finished: true with in_progress', wrong)
    },
  ),

  observation(
    'RUN-FINISHED-BY-STATUS',
    'SHOULD',
    '§2',
    'getTask',
    'finished depends on the status alone: no status is told both as finished and not.',
    ({ exchanges }) => {
      const seen = new Map<string, Exchange>()
      let both = 0
      for (const exchange of exchanges) {
        const { operation, json } = exchange
        const status = operation === 'runTask' ? field(json, 'status') : field(json, 'task', 'status')
        const finished = field(json, 'finished')
        if (!['getTask', 'runTask'].includes(operation) || !status || typeof finished !== 'boolean') continue
        // RUN-IN-PROGRESS-UNFINISHED is about that one.
        if (operation === 'runTask' && status === 'in_progress') continue
        const other = seen.get(`${status} ${!finished}`)
        if (other)
          throw new Violation(
            `the status "${status}" to be final always, or never`,
            `finished: ${!finished}, later finished: ${finished}`,
            other,
            exchange,
          )
        seen.set(`${status} ${finished}`, exchange)
        if (finished) both++
      }
      if (both === 0) throw new NotExercised('no finished task was seen', '--max-credits 1 or more')
    },
  ),
]
