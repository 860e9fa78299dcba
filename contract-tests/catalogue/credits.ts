/** §2, §3.2, §8.2: what things cost, what is given back, and that no balance is ever negative. */

import { type OperationId, routeOf } from '#contract/operation.ts'
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
import { brief, type Exchange, field, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { observation, probe, type Requirement } from '../requirement.ts'
import { expectThat, need, needAccepted } from '../words.ts'
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
    async (kit) => {
      await twin(kit, operation)
      await needCredits(kit, operation === 'whoami' ? 5 : 1)
      const send = await ready(kit, operation)
      const before = await readCredits(kit)
      const exchange = needAccepted(await send())
      const after = await readCredits(kit)
      if (operation !== 'whoami' && spentOf(before, after) !== 0) await needQuietBalance(kit, 'whoami')
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
async function sameCredits(kit: Kit, ask: () => Promise<Exchange>): Promise<void> {
  const before = await readCredits(kit)
  const exchange = needAccepted(await ask())
  if (field(exchange.json, 'credits') === undefined)
    throw new NotApplicable('the answer is of the second variant: it has no credits')
  const after = await readCredits(kit)
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
    async (kit) => {
      await sameCredits(kit, () => kit.call('listTasks'))
    },
    quiet,
  ),

  probe(
    'CREDITS-IN-CREATE',
    'MUST',
    '§2',
    'createTask',
    'credits of a created task are the spendable credits (first variant).',
    async (kit) => {
      await sameCredits(kit, async () => (await newTask(kit)).exchange)
    },
    { ...quiet, writes: true },
  ),

  probe(
    'CREDITS-RESERVED',
    'MUST',
    '§3, §3.2',
    'runTask',
    'While a run is going, its credit is not spendable.',
    async (kit) => {
      const { before, during, early, answer } = await ordinaryRun(kit)
      if (!isAccepted(answer))
        throw new NotExercised('the run had to wait; its credit may be reserved when it starts')
      if (early.finished) throw new NotExercised('the run ended at once')
      await expectSpent(kit, 1, { before, after: during }, 'while the run is going', answer)
    },
    paid,
  ),

  probe(
    'CREDITS-RUN-COSTS-ONE',
    'MUST',
    '§3.2, §8.2',
    'runTask',
    'A run that does not fail has cost exactly one credit when it has ended.',
    async (kit) => {
      const { before, after, end, answer } = await endedRun(kit)
      const { least } = await possibleCosts(kit, [end])
      if (least === 0 && spentOf(before, after) === 0) {
        throw new NotExercised(
          'the credit was given back: the run may have failed, since nothing tells failed runs from others',
          'the state "next_run_fails"',
        )
      }
      await expectSpent(kit, 1, { before, after }, 'when the run has ended', answer, end.exchange)
    },
    paid,
  ),

  probe(
    'CREDITS-REFUND',
    'MUST',
    '§3.2',
    'runTask',
    'A run that fails gives its credit back.',
    async (kit) => {
      const { before, after, answer, end } = await failedStory(kit)
      const same = (await ordinaryRun(kit).catch(() => undefined))?.end?.status === end.status
      if (spentOf(before, after) === 1 && same) {
        throw new NotExercised(
          `the provider's set-up is at fault: with "next_run_fails" the run ended as "${String(end.status)}", as others do`,
        )
      }
      if (spentOf(before, after) > 0) await needQuietBalance(kit, 'whoami', 'getTask')
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
    async (kit) => {
      const { before, later: after, answer, end } = await failedStory(kit)
      if (spentOf(before, after) < 0) await needQuietBalance(kit, 'whoami', 'getTask')
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
    async (kit) => {
      const { end, answer, id } = await failedRun(kit)
      if (end) return
      need((await ordinaryRun(kit)).end, 'the end of an ordinary run')
      throw new Violation(
        'finished: true within --run-timeout',
        'it is not',
        answer,
        await kit.call('getTask', { id }),
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
    async (kit) => {
      await needCredits(kit, 1)
      const id = unknownLike((await sharedTask(kit)).id)
      const before = await readCredits(kit)
      const exchange = await kit.call('runTask', { id })
      if (exchange.status !== 404) throw new NotExercised(`the run was not refused (${brief(exchange)})`)
      const after = await restingCredits(kit)
      await expectSpent(kit, 0, { before, after }, 'by a refused run', exchange)
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

async function failedStory(kit: Kit) {
  const story = await failedRun(kit)
  return { ...story, end: need(story.end, 'the end of the failed run') }
}
