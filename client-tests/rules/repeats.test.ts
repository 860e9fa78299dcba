/** Paid requests whose answers are lost: what a client pays twice for, and the work that it leaves in doubt. */
import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { RuleContext } from '../rule.ts'
import {
  createRuleTestClient,
  journalEntriesOf,
  ruleOutcomeOnMock,
  ruleResultOnMock,
} from '../testing/rule-result.ts'
import { paysOnceRule } from './repeats.ts'

describe('a paid request whose answer is lost', () => {
  const lost = async (fault = 'lost') => {
    const client = createRuleTestClient({
      fault: `runTask=${fault};times=1`,
      runProgress: 'immediate',
      credits: 5,
    })
    const id = await client.newTask()
    const run = () => client.call('runTask', { id }).catch(() => undefined)
    await run()
    return { id, run, ...client }
  }

  test('is paid twice when it is repeated without a check', async () => {
    const { mock, run, credits } = await lost()
    await run()
    expect(ruleOutcomeOnMock(mock, 'no-blind-repeat')).toBe('warned')
    const { outcome, findings } = ruleResultOnMock(mock, 'pays-once')
    expect(outcome).toBe('failed')
    expect(findings[0]?.what).toMatch(
      /^paid twice for the same: repeated a paid request without checking whether it took effect, 0 s after its answer was lost/,
    )
    expect(findings[0]?.evidence.map(({ answer }) => answer)).toEqual(['reset, after it took effect', '200'])
    expect(await credits()).toBe(3)
  })

  test('is paid twice when its work is begun anew with another task of the same text', async () => {
    const { mock, call, newTask } = createRuleTestClient({ fault: 'runTask=lost;times=1' })
    await call('runTask', { id: await newTask('Say hello') }).catch(() => undefined)
    await call('runTask', { id: await newTask('Say hello') })
    expect(ruleOutcomeOnMock(mock, 'pays-once')).toBe('failed')
  })

  test.each([
    'lost 502',
    'lost request_timeout',
    'lost gateway_error json',
    'lost empty_200',
  ])('is lost where a gateway answers in place of the service, as by %s', async (fault) => {
    const { mock, run } = await lost(fault)
    await run()
    expect(ruleOutcomeOnMock(mock, 'no-blind-repeat')).toBe('warned')
  })

  test.each([
    ['ended without an error right after it', undefined, false, 'failed'],
    ['read the list after it', 'listTasks', false, 'passed'],
    ['read the balance alone', 'whoami', false, 'failed'],
    ['leaves its runs anyway', undefined, true, 'passed'],
  ] as const)('is work left undone unless the client asked for it: it %s', async (_, next, leavesRuns, outcome) => {
    const { mock, call } = await lost()
    if (next) await call(next)
    const run = { canFinish: true, hasPaidWork: true, leavesRuns }
    expect(ruleOutcomeOnMock(mock, 'finishes-work', { end: { ok: true }, run })).toBe(outcome)
  })

  test('may be repeated after a check that came before its effect', async () => {
    const { mock, run, poll, id } = await lost()
    await poll(id)
    await run()
    const entries = journalEntriesOf(mock)
    const [first, look, again] = ['runTask', 'getTask', 'runTask'].map((operation, i) =>
      entries[i === 0 ? 'find' : 'findLast']((one) => one.operation === operation),
    ) as [JournalEntry, JournalEntry, JournalEntry]
    const outcome = (effectMs: number) => {
      const reserve = (entry: JournalEntry, at: number) =>
        ({ kind: 'reserve', amount: -1, at, request_id: entry.id }) as const
      const ledger = [reserve(first, look.at + effectMs), reserve(again, look.at + 10_000)]
      const facts = { ledger, run: { canFinish: true, isCompared: true, price: 1 } }
      return paysOnceRule.judge(entries, facts as Partial<RuleContext> as RuleContext)
    }
    expect(outcome(9_000)).toEqual([])
    expect(outcome(-1)[0]?.violation).toMatch(/: looked, and repeated a paid request that had taken effect/)
  })

  test('may be repeated after a check', async () => {
    const { mock, run, poll, id } = await lost()
    await poll(id)
    await run()
    expect(ruleOutcomeOnMock(mock, 'no-blind-repeat')).toBe('passed')
    expect(ruleOutcomeOnMock(mock, 'pays-once')).toBe('passed')
  })
})
