/** §3, §7.1: without a credit a run is refused with 402, changes nothing, and stays refused until credits are added. */

import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { ready, twin } from '../evidence/calls.ts'
import { generate, generation } from '../evidence/creatives.ts'
import { arrangeCredits, expectSpent, needQuietBalance, readCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun, requestRun, rest, waitForEnd } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import {
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  refusals,
} from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { cookieOperations, freeKeyOperations } from './families.ts'

const broke = { writes: true, alone: true, quiet: true, needs: ['state:credits'] } as const

/** Makes the organization spend-ready with exactly so many credits, and sees that it is. */
export async function setCredits(t: TestContext, credits: number): Promise<void> {
  await arrangeCredits(t, credits)
  const told = await readCredits(t)
  if (told !== credits)
    throw new NotExercised(
      `the provider's set-up is at fault: with the state "credits" at ${credits}, whoami tells ${told}`,
    )
  if ((await readCredits(t)) !== told) throw new NotExercised('whoami moves the balance that it tells')
}

/** Does something with exactly so many credits; then the organization has what it had, less what was spent. */
export async function withCredits<T>(t: TestContext, credits: number, action: () => Promise<T>): Promise<T> {
  const [balance, spent] = [await readCredits(t), t.budget.spent]
  try {
    await setCredits(t, credits)
    return await action()
  } finally {
    await rest(t)
    await setCredits(t, Math.max(balance - (t.budget.spent - spent), 2)).catch(() => undefined)
  }
}

/** Everything that is asked of an organization without credits, told once. */
const penniless = (t: TestContext) =>
  t.evidence('no credits', async () => {
    await rest(t)
    const { id } = await newTask(t)
    const before = await look(t, id)
    const sends = await readyAnywhere(t)
    const balance = await readCredits(t)
    const whoami = await withoutCredits(t)
    try {
      const first = await t.call('runTask', { id })
      const credits = await readCredits(t).catch(leftOut)
      const again: Exchange[] = []
      while (!isTaken(first) && again.length < 2) again.push(await t.call('runTask', { id }))
      for (const exchange of [first, ...again]) if (isTaken(exchange)) t.budget.spend(1)
      const after = await look(t, id).catch(leftOut)
      const creative = await generate(t).catch(leftOut)
      const free = [whoami]
      for (const send of sends) free.push(await send())
      return { id, before, first, again, after, creative, free, credits, balance }
    } finally {
      await setCredits(t, Math.max(balance, 2)).catch(() => undefined)
    }
  })

/** Takes all credits away; answers what whoami says then, which may be that it costs a credit. */
async function withoutCredits(t: TestContext): Promise<Exchange> {
  await arrangeCredits(t, 0)
  const exchange = await t.call('whoami')
  if (isAccepted(exchange)) await setCredits(t, 0)
  return exchange
}

/** Valid requests of free routes, made ready; those that are never accepted are another requirement's business. */
async function readyAnywhere(t: TestContext): Promise<(() => Promise<Exchange>)[]> {
  const sends: (() => Promise<Exchange>)[] = []
  const sessionToo = t.settings.sessionCookie ? cookieOperations : []
  for (const operation of [...freeKeyOperations, ...sessionToo]) {
    const accepted = operation !== 'whoami' && (await twin(t, operation).catch(leftOut))
    const send = accepted && (await ready(t, operation).catch(leftOut))
    if (send) sends.push(send)
  }
  return sends
}

/** What cannot be had is left out. */
function leftOut(error: unknown): undefined {
  if (error instanceof NotExercised || error instanceof NotApplicable) return undefined
  throw error
}

/** Time in which a run that was queued after all would start, ms. */
const soon = 250

/** What happened to the refused task after credits were added. */
const toppedUp = (t: TestContext) =>
  t.evidence('topped up', async () => {
    const { id, first, after } = await penniless(t)
    if (isTaken(first)) throw new NotExercised('the run was accepted without a credit')
    await t.target.sleep(soon)
    return { id, refused: need(after, 'the refused task'), later: await look(t, id) }
  })

/** Time for a refund, ms. */
const refundTime = 3_000

/** Whether the one credit that there was comes back. */
async function refunded(t: TestContext): Promise<boolean> {
  const within = Math.min(t.settings.runTimeout, refundTime)
  const seen = await t.until(within, async () => ((await readCredits(t)) >= 1 ? true : undefined))
  return seen === true
}

export const noCredits: Requirement[] = [
  probe(
    'NO-CREDITS-REFUSED',
    'MUST',
    '§3, §7',
    'runTask',
    'Without a credit a run is answered 402 no_credits.',
    async (t) => {
      const { first } = await penniless(t)
      if (isTaken(first)) await needQuietBalance(t)
      else if (first.status !== 402) await ordinaryRun(t)
      expectRefused(first, refusals.noCredits)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-PERSISTS',
    'MUST',
    '§7.1',
    'runTask',
    'The same run is answered 402 no_credits each time, until credits are added.',
    async (t) => {
      const { first, again } = await penniless(t)
      if (first.status !== 402)
        throw new NotExercised(`the first run was not refused with 402 (${brief(first)})`)
      if (again.some(isTaken)) await needQuietBalance(t)
      for (const exchange of again) expectRefused(exchange, refusals.noCredits)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-UNCHANGED',
    'MUST',
    '§3',
    'runTask',
    'A run that is refused with 402 leaves the task as it was.',
    async (t) => {
      const { first, before, after } = await penniless(t)
      if (first.status !== 402) throw new NotExercised(`the run was not refused with 402 (${brief(first)})`)
      const { status, finished, exchange } = need(after, 'the refused task')
      expectSame(status, before.status, 'task.status', first, exchange)
      expectSame(finished, before.finished, 'finished', first, exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-FREE-ROUTES',
    'MUST',
    '§8.2',
    null,
    'Free routes are answered without a credit.',
    async (t) => {
      for (const exchange of (await penniless(t)).free) expectAccepted(exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-BALANCE',
    'MUST',
    '§3',
    'runTask',
    'A run that is refused with 402 leaves the balance at zero.',
    async (t) => {
      const { first, credits } = await penniless(t)
      if (first.status !== 402) throw new NotExercised(`the run was not refused with 402 (${brief(first)})`)
      await expectSpent(t, 0, { before: 0, after: need(credits, 'the balance') }, 'by the refused run', first)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-NOT-QUEUED',
    'MUST',
    '§3',
    'runTask',
    'A run that was refused with 402 does not start when credits are added.',
    async (t) => {
      const { refused, later } = await toppedUp(t)
      expectSame(later.status, refused.status, 'task.status', refused.exchange, later.exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-RECOVERS',
    'MUST',
    '§7.1',
    'runTask',
    'When one credit was added, the run is accepted.',
    async (t) => {
      const { id, refused, later } = await toppedUp(t)
      if (later.status !== refused.status) throw new NotExercised('the run has started by itself')
      const exchange = await withCredits(t, 1, async () => {
        const answer = await requestRun(t, id)
        if (isTaken(answer)) need(await waitForEnd(t, id), 'the end of the run')
        return answer
      })
      if (isTaken(exchange)) return
      await needQuietBalance(t)
      await ordinaryRun(t)
      throw new Violation('a success, or 409 busy', brief(exchange), exchange)
    },
    { ...broke, cost: 1 },
  ),

  probe(
    'NO-CREDITS-CREATIVE',
    'MUST',
    '§4, §7',
    'generateCreative',
    'Without a credit a generation is answered 402 no_credits.',
    async (t) => {
      const { creative } = await penniless(t)
      if (!creative) throw new NotApplicable('the extended route generateCreative is not offered (404)')
      if (!isAccepted(creative) && creative.status !== 402) needAccepted((await generation(t)).exchange)
      expectRefused(creative, refusals.noCredits)
    },
    broke,
  ),

  probe(
    'CREDITS-ATOMIC',
    'MUST',
    '§3',
    'runTask',
    'Of simultaneous runs no more succeed than there are credits.',
    async (t) => {
      t.budget.allow(1)
      await rest(t)
      const tasks = await Promise.all(Array.from({ length: 6 }, () => newTask(t)))
      const looks = () => Promise.all(tasks.map(({ id }) => look(t, id)))
      if ((await looks()).some(({ finished }) => finished))
        throw new NotExercised('tasks are finished before they have run')
      const { answers, ran } = await withCredits(t, 1, async () => {
        const answers = await Promise.all(tasks.map(({ id }) => t.call('runTask', { id })))
        t.budget.spend(Math.max(answers.filter(isAccepted).length, 1))
        for (const [i, { id }] of tasks.entries())
          if (isTaken(answers[i] as Exchange)) await waitForEnd(t, id)
        const ran = (await looks()).filter(({ finished }) => finished)
        if (ran.length > 1 && (await refunded(t)))
          throw new NotExercised('the credit was given back: runs may have failed, and others had it again')
        return { answers, ran }
      })
      const started = answers.filter(isAccepted)
      if (started.length > 1 || ran.length > 1) await needQuietBalance(t)
      expectThat(
        started.length <= 1,
        'at most 1 success with 1 credit',
        `${started.length} of ${answers.length}`,
        ...started,
      )
      const ends = ran.map(({ exchange }) => exchange)
      expectThat(ran.length <= 1, 'at most 1 run with 1 credit', String(ran.length), ...ends)
    },
    { ...broke, cost: 1 },
  ),
]
