/** §3, §7.1: without a credit a run is refused with 402, changes nothing, and stays refused until credits are added. */
import { callValidly, type FreeOperation, throwIfAbsent, twin } from '../evidence/calls.ts'
import { readCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, look, requestRun, rest, waitForEnd } from '../evidence/runs.ts'
import { brief, type Exchange, isAccepted } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectAccepted, expectRefused, expectSame, need, refusals } from '../words.ts'

const broke = { writes: true, alone: true, needs: ['state:credits'] } as const

/** Makes the organization spend-ready with exactly so many credits, and sees that it is. */
export async function setCredits(kit: Kit, credits: number): Promise<void> {
  await kit.states.setup('credits', { org_id: await kit.orgId(), credits })
  const told = await readCredits(kit)
  if (told !== credits)
    throw new NotExercised(
      `the provider's set-up is at fault: with the state "credits" at ${credits}, whoami tells ${told}`,
    )
}

/** Everything that is asked of an organization without credits, told once. */
const penniless = (kit: Kit) =>
  kit.evidence('no credits', async () => {
    await rest(kit)
    const { id } = await newTask(kit)
    const before = await look(kit, id)
    const balance = await readCredits(kit)
    await setCredits(kit, 0)
    try {
      const first = await kit.call('runTask', { id })
      const again = [await kit.call('runTask', { id }), await kit.call('runTask', { id })]
      for (const exchange of [first, ...again]) if (isTaken(exchange)) kit.budget.spend(1)
      const after = await look(kit, id)
      const creative = await kit.call('generateCreative', { body: { prompt: kit.name('Creative') } })
      const free = await freeAtZero(kit)
      const credits = await readCredits(kit)
      return { id, before, first, again, after, creative, free, credits, balance }
    } finally {
      await setCredits(kit, Math.max(balance, 2)).catch(() => undefined)
    }
  })

const asked: FreeOperation[] = [
  'whoami',
  'listTasks',
  'createTask',
  'getTask',
  'listDocuments',
  'createDocument',
  'listNotifications',
]

async function freeAtZero(kit: Kit): Promise<Exchange[]> {
  const answers: Exchange[] = []
  for (const operation of asked) {
    await twin(kit, operation)
    answers.push(await callValidly(kit, operation))
  }
  return answers
}

/** What happened to the refused task after credits were added. */
const toppedUp = (kit: Kit) =>
  kit.evidence('topped up', async () => {
    const { id, first, after } = await penniless(kit)
    if (isTaken(first)) throw new NotExercised('the run was accepted without a credit')
    await kit.target.sleep(50)
    return { id, refused: after, later: await look(kit, id) }
  })

export const noCredits: Requirement[] = [
  probe(
    'NO-CREDITS-REFUSED',
    'MUST',
    '§3, §7',
    'runTask',
    'Without a credit a run is answered 402 no_credits.',
    async (kit) => {
      expectRefused((await penniless(kit)).first, refusals.noCredits)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-PERSISTS',
    'MUST',
    '§7.1',
    'runTask',
    'The same run is answered 402 no_credits each time, until credits are added.',
    async (kit) => {
      const { first, again } = await penniless(kit)
      if (first.status !== 402)
        throw new NotExercised(`the first run was not refused with 402 (${brief(first)})`)
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
    async (kit) => {
      const { first, before, after } = await penniless(kit)
      if (first.status !== 402) throw new NotExercised(`the run was not refused with 402 (${brief(first)})`)
      expectSame(after.status, before.status, 'task.status', first, after.exchange)
      expectSame(after.finished, before.finished, 'finished', first, after.exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-FREE-ROUTES',
    'MUST',
    '§8.2',
    null,
    'Free routes are answered without a credit.',
    async (kit) => {
      for (const exchange of (await penniless(kit)).free) expectAccepted(exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-BALANCE',
    'MUST',
    '§3',
    'runTask',
    'A run that is refused with 402 leaves the balance at zero.',
    async (kit) => {
      const { first, credits } = await penniless(kit)
      if (first.status !== 402) throw new NotExercised(`the run was not refused with 402 (${brief(first)})`)
      expectSame(credits, 0, 'credits', first)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-NOT-QUEUED',
    'MUST',
    '§3',
    'runTask',
    'A run that was refused with 402 does not start when credits are added.',
    async (kit) => {
      const { refused, later } = await toppedUp(kit)
      expectSame(later.status, refused.status, 'task.status', refused.exchange, later.exchange)
    },
    broke,
  ),

  probe(
    'NO-CREDITS-RECOVERS',
    'MUST',
    '§7.1',
    'runTask',
    'When credits were added, the run is accepted.',
    async (kit) => {
      const { id } = await toppedUp(kit)
      kit.budget.allow(1)
      await setCredits(kit, 2)
      const exchange = await requestRun(kit, id)
      if (!isTaken(exchange)) throw new Violation('a success, or 409 busy', brief(exchange), exchange)
      need(await waitForEnd(kit, id), 'the end of the run')
    },
    { ...broke, cost: 1 },
  ),

  probe(
    'NO-CREDITS-CREATIVE',
    'MUST',
    '§4, §7',
    'generateCreative',
    'Without a credit a generation is answered 402 no_credits.',
    async (kit) => {
      const { creative } = await penniless(kit)
      throwIfAbsent(kit, 'generateCreative', creative)
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
    async (kit) => {
      kit.budget.allow(1)
      await rest(kit)
      const balance = await readCredits(kit)
      const tasks = await Promise.all(Array.from({ length: 6 }, () => newTask(kit)))
      await setCredits(kit, 1)
      try {
        const answers = await Promise.all(tasks.map(({ id }) => kit.call('runTask', { id })))
        const started = answers.filter(isAccepted)
        kit.budget.spend(Math.max(started.length, 1))
        const credits = await readCredits(kit)
        if (started.length > 1)
          throw new Violation(
            'at most 1 success with 1 credit',
            `${started.length} of ${answers.length}`,
            ...started,
          )
        if (credits < 0) throw new Violation('0 credits or more', String(credits), ...started)
        for (const [i, { id }] of tasks.entries())
          if (isTaken(answers[i] as Exchange)) await waitForEnd(kit, id)
        const ran = (await Promise.all(tasks.map(({ id }) => look(kit, id)))).filter(
          ({ finished }) => finished,
        )
        if (ran.length > 1)
          throw new Violation(
            'at most 1 run with 1 credit',
            `${ran.length}`,
            ...ran.map(({ exchange }) => exchange),
          )
      } finally {
        await rest(kit)
        await setCredits(kit, Math.max(balance - 1, 2)).catch(() => undefined)
      }
    },
    { ...broke, cost: 1 },
  ),
]
