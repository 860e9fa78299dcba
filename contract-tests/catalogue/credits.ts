/** §2, §3.2, §8.2: what things cost, what is given back, and that no balance is ever negative. */

import { routeOf } from '#contract/operation.ts'
import { callValidly, twin } from '../evidence/calls.ts'
import { creditsIn, readCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { endedRun, failedRun, ordinaryRun } from '../evidence/runs.ts'
import { type Exchange, field, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { observation, probe, type Requirement } from '../requirement.ts'
import { expectSame, expectThat, need, needAccepted } from '../words.ts'
import { creates, freeOperations } from './families.ts'

const quiet = { alone: true, quiet: true } as const
const paid = { ...quiet, writes: true, cost: 1 } as const
const failing = { ...paid, needs: ['state:next_run_fails'] } as const

const free = freeOperations
  .filter((operation) => operation !== 'whoami')
  .map((operation) =>
    probe(
      `FREE-${operation}`,
      'MUST',
      '§8.2',
      operation,
      `${operation} is free: the balance is the same after it.`,
      async (kit) => {
        await twin(kit, operation)
        const before = await readCredits(kit)
        const exchange = needAccepted(await callValidly(kit, operation))
        const after = await readCredits(kit)
        expectSame(after, before, 'credits', exchange)
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

/** Judges that `credits` beside a task answer is what whoami tells before and after it. */
async function sameCredits(kit: Kit, ask: () => Promise<Exchange>): Promise<void> {
  const before = await readCredits(kit)
  const exchange = needAccepted(await ask())
  if (field(exchange.json, 'credits') === undefined)
    throw new NotApplicable('the answer is of the second variant: it has no credits')
  const after = await readCredits(kit)
  if (before !== after)
    throw new NotExercised('the balance moved while it was compared; the organization is not quiet')
  expectSame(creditsIn(exchange), after, 'credits', exchange)
}

/** The final status of a run that was made to fail, where the state is offered and took effect. */
async function failedStatus(kit: Kit): Promise<unknown> {
  if (!kit.states.mayOffer('next_run_fails')) return undefined
  const story = await failedRun(kit).catch(() => undefined)
  return story?.end?.status
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
      const { before, during, stillRunning, answer } = await ordinaryRun(kit)
      if (!isAccepted(answer))
        throw new NotExercised('the run had to wait; its credit may be reserved when it starts')
      if (!stillRunning) throw new NotExercised('the run ended at once')
      expectSame(during, before - 1, 'credits while the run is going', answer)
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
      const { before, during, after, end, answer } = await endedRun(kit)
      const failed = await failedStatus(kit)
      if (failed === undefined && during < before && after === before) {
        throw new NotExercised(
          'the credit was reserved and given back: the run seems to have failed',
          'the state "next_run_fails", to tell failed runs from others',
        )
      }
      if (failed !== undefined && failed === end.status) {
        throw new NotExercised(
          `the run ended as "${String(failed)}", like one that was made to fail; whether it failed cannot be told`,
        )
      }
      expectSame(after, before - 1, 'credits after the end', answer, end.exchange)
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
      if (after === before - 1 && (await sameAsSuccess(kit, end.status))) {
        throw new NotExercised(
          `the provider's set-up is at fault: with "next_run_fails" the run ended as "${String(end.status)}", as others do`,
        )
      }
      expectThat(after >= before, `${before} credits again`, String(after), answer, end.exchange)
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
      expectThat(
        after <= before,
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
      throw new Violation(
        'finished: true within --run-timeout',
        'it is not',
        answer,
        await kit.call('getTask', { id }),
      )
    },
    failing,
  ),

  observation(
    'CREDITS-NEVER-NEGATIVE',
    'MUST',
    '§3.2',
    null,
    'No answer ever tells a negative balance.',
    ({ exchanges }) => {
      for (const exchange of exchanges.filter(isAccepted)) {
        const told = [field(exchange.json, 'credits'), field(exchange.json, 'remaining')]
        const negative = told.find((credits) => typeof credits === 'number' && credits < 0)
        if (negative !== undefined) throw new Violation('0 credits or more', String(negative), exchange)
      }
    },
  ),
]

async function failedStory(kit: Kit) {
  const story = await failedRun(kit)
  return { ...story, end: need(story.end, 'the end of the failed run') }
}

/** Whether an ordinary run ended with that status too. */
async function sameAsSuccess(kit: Kit, status: unknown): Promise<boolean> {
  const ordinary = await ordinaryRun(kit).catch(() => undefined)
  return ordinary?.end?.status === status
}
