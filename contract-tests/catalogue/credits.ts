/** §2, §3.2, §8.2: what things cost, what is given back, and that no balance is ever negative. */

import { type OperationId, routeOf } from '#contract/operation.ts'
import { brief, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { ready, twin } from '../evidence/calls.ts'
import {
  creditsIn,
  expectSpent,
  needCredits,
  needQuietBalance,
  readCredits,
  restingCredits,
  spentOf,
} from '../evidence/credits.ts'
import { unknownLike } from '../evidence/ids.ts'
import { newTask, sharedTask } from '../evidence/resources.ts'
import { endedRun, failedRun, ordinaryRun, possibleCosts } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat, need, needAccepted } from '../harness/expect.ts'
import { observation, probe, type Requirement } from '../harness/requirement.ts'
import { creates, freeOperations } from './families.ts'

const quiet = { alone: true, quiet: true } as const
const paid = { ...quiet, writes: true, cost: 1 } as const
const failing = { ...paid, needs: ['state:next_run_fails'] } as const

const free = freeOperations.map((operation) =>
  probe(
    `FREE-${operation}`,
    'MUST',
    '§8.2',
    operation,
    `${operation} is free: the balance is the same after it.`,
    async (t) => {
      await twin(t, operation)
      await needCredits(t, operation === 'whoami' ? 5 : 1)
      const send = await ready(t, operation)
      const before = await readCredits(t)
      const exchange = needAccepted(await send())
      const after = await readCredits(t)
      if (operation !== 'whoami' && spentOf(before, after) !== 0) await needQuietBalance(t, 'whoami')
      expectThat(spentOf(before, after) === 0, `${before} credits, as before`, String(after), exchange)
    },
    {
      ...quiet,
      writes: creates(operation),
      needs:
        operation === 'readNotification'
          ? ['state:unread_notification']
          : routeOf(operation).auth === 'cookie'
            ? ['session']
            : [],
    },
  ),
)

/** Operations whose `credits` are what can be spent; what other numbers count is not given. */
const tellsBalance: readonly OperationId[] = ['whoami', 'listTasks', 'createTask']

/** Judges that `credits` beside a task answer is what whoami tells before and after it. */
async function sameCredits(t: TestContext, ask: () => Promise<Exchange>): Promise<void> {
  const before = await readCredits(t)
  const exchange = needAccepted(await ask())
  if (field(exchange.json, 'credits') === undefined)
    throw new NotApplicable('the answer is of the second variant: it has no credits')
  const after = await readCredits(t)
  if (before !== after)
    throw new NotExercised('the balance moved while it was compared; the organization is not quiet')
  const told = creditsIn(exchange)
  expectThat(spentOf(told, after) === 0, `credits: ${after}`, String(told), exchange)
}

export const credits: Requirement[] = [
  ...free,

  probe(
    'CREDITS-IN-LIST',
    'MUST',
    '§2',
    'listTasks',
    'credits of the task list are the spendable credits (first variant).',
    async (t) => {
      await sameCredits(t, () => t.call('listTasks'))
    },
    quiet,
  ),

  probe(
    'CREDITS-IN-CREATE',
    'MUST',
    '§2',
    'createTask',
    'credits of a created task are the spendable credits (first variant).',
    async (t) => {
      await sameCredits(t, async () => (await newTask(t)).exchange)
    },
    { ...quiet, writes: true },
  ),

  probe(
    'CREDITS-RESERVED',
    'MUST',
    '§3, §3.2',
    'runTask',
    'While a run is going, its credit is not spendable.',
    async (t) => {
      const { before, during, early, answer } = await ordinaryRun(t)
      if (!isAccepted(answer))
        throw new NotExercised('the run had to wait; its credit may be reserved when it starts')
      if (early.finished) throw new NotExercised('the run ended at once')
      await expectSpent(t, 1, { before, after: during }, 'while the run is going', answer)
    },
    paid,
  ),

  probe(
    'CREDITS-RUN-COSTS-ONE',
    'MUST',
    '§3.2, §8.2',
    'runTask',
    'A run that does not fail has cost exactly one credit when it has ended.',
    async (t) => {
      const { before, after, end, answer } = await endedRun(t)
      const { least } = await possibleCosts(t, [end])
      if (least === 0 && spentOf(before, after) === 0) {
        throw new NotExercised(
          'the credit was given back: the run may have failed, since nothing tells failed runs from others',
          'the state "next_run_fails"',
        )
      }
      await expectSpent(t, 1, { before, after }, 'when the run has ended', answer, end.exchange)
    },
    paid,
  ),

  probe(
    'CREDITS-REFUND',
    'MUST',
    '§3.2',
    'runTask',
    'A run that fails gives its credit back.',
    async (t) => {
      const { before, after, answer, end } = await failedStory(t)
      const same = (await ordinaryRun(t).catch(() => undefined))?.end?.status === end.status
      if (spentOf(before, after) === 1 && same) {
        throw new NotExercised(
          `the provider's set-up is at fault: with "next_run_fails" the run ended as "${String(end.status)}", as others do`,
        )
      }
      if (spentOf(before, after) > 0) await needQuietBalance(t, 'whoami', 'getTask')
      expectThat(spentOf(before, after) <= 0, `${before} credits again`, String(after), answer, end.exchange)
    },
    failing,
  ),

  probe(
    'CREDITS-REFUND-ONCE',
    'MUST',
    '§3.2',
    'runTask',
    'A run that fails gives back the one credit that it reserved, once.',
    async (t) => {
      const { before, later: after, answer, end } = await failedStory(t)
      if (spentOf(before, after) < 0) await needQuietBalance(t, 'whoami', 'getTask')
      expectThat(
        spentOf(before, after) >= 0,
        `no more than the ${before} credits of before`,
        String(after),
        answer,
        end.exchange,
      )
    },
    failing,
  ),

  probe(
    'CREDITS-FAILED-FINISHED',
    'MUST',
    '§3.1',
    'getTask',
    'A task whose run failed is finished.',
    async (t) => {
      const { end, answer, id } = await failedRun(t)
      if (end) return
      need((await ordinaryRun(t)).end, 'the end of an ordinary run')
      throw new Violation(
        'finished: true within --run-timeout',
        'it is not',
        answer,
        await t.call('getTask', { id }),
      )
    },
    failing,
  ),

  probe(
    'CREDITS-REFUSED-RUN',
    'MUST',
    '§8.2',
    'runTask',
    'A run that is refused, since there is no such task, costs nothing.',
    async (t) => {
      await needCredits(t, 1)
      const id = unknownLike((await sharedTask(t)).id)
      const before = await readCredits(t)
      const exchange = await t.call('runTask', { id })
      if (exchange.status !== 404) throw new NotExercised(`the run was not refused (${brief(exchange)})`)
      const after = await restingCredits(t)
      await expectSpent(t, 0, { before, after }, 'by a refused run', exchange)
    },
    { ...quiet, writes: true },
  ),

  observation(
    'CREDITS-NEVER-NEGATIVE',
    'MUST',
    '§3.2',
    null,
    'No answer ever tells a negative balance.',
    ({ exchanges }) => {
      for (const exchange of exchanges.filter(isAccepted)) {
        const told = tellsBalance.includes(exchange.operation) && field(exchange.json, 'credits')
        if (typeof told === 'number' && told < 0)
          throw new Violation('0 credits or more', String(told), exchange)
      }
    },
  ),
]

async function failedStory(t: TestContext) {
  const story = await failedRun(t)
  return { ...story, end: need(story.end, 'the end of the failed run') }
}
