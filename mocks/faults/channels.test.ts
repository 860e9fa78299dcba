/** A fault means the same wherever it is written: flag, rule, key, header, text and control call. */
import { expect, test } from 'vitest'
import type { Mock } from '../app.ts'
import { settingsOf } from '../config/options.ts'
import { readSettings } from '../scenarios/index.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'
import { codes, faultText, parseFault, vocabulary } from './fault.ts'
import type { FaultRuleText } from './grammar.ts'
import { parseForce } from './grammar.ts'
import { readPreference } from './prefer.ts'
import { directivesIn } from './text-directives.ts'

const words = [
  ...vocabulary,
  ...['429 date', '503', 'delay 1s..2s', 'delay lognormal 2ms 0.1', 'lost truncate', 'lost dribble 50ms'],
]
const usual = readSettings({})
if (Array.isArray(usual)) throw new Error('The usual options are valid.')

const ruleOf = (settings: ReturnType<typeof readSettings>) =>
  Array.isArray(settings) ? settings : settings.faults

test.each(words.filter((word) => word !== 'other_variant'))('%s', async (word) => {
  const instruction = parseFault(word)
  const rule = { operation: 'runTask', faults: [instruction] }
  const text = `runTask=${word}` as FaultRuleText
  expect(ruleOf(readSettings({ fault: [text] }))).toEqual([rule])
  expect(ruleOf(settingsOf(`ada.fault=${text.replaceAll(' ', ':')}`, usual, readSettings))).toEqual([rule])
  expect(readPreference(`fault="${word}"`)?.faults.map((one) => one.fault)).toEqual([instruction])
  expect(directivesIn(`Say hello [[mock:${word}]]`, 'run')).toEqual([instruction])
  const mock = frozenMock()
  const added = mock.faults.add(text)
  expect(added.faults).toEqual(instruction && [faultText(instruction)])
  for (const body of [{ operation: 'runTask', faults: [word] }, { rule: text }])
    expect(await controlOf(mock).done('POST /faults', { body })).toEqual({ ...added, id: expect.any(String) })
  if (!codes.has(word)) return
  expect(parseForce(`${word}@runTask`)).toEqual(rule)
  for (const name of ['code', 'error'])
    expect(readPreference(`${name}=${word}`)?.faults[0]?.fault).toEqual(instruction)
})

test.each([
  ['wait=2', 'delay 2s'],
  ['wait=0.5', 'delay 500ms'],
  ['wait=500ms', 'delay 500ms'],
  ['delay=0.5', 'delay 500ms'],
])('Prefer: %s is %s', (header, word) => {
  expect(readPreference(header)?.faults[0]?.fault).toEqual(parseFault(word))
})

test.each([
  ['variant=second', 'second'],
  ['Variant="second"', 'second'],
  ['return=minimal, variant=second; foo=bar, wait=5', 'second'],
  ['wait=5;variant = FIRST', 'first'],
  ['variant=third', undefined],
  ['invariant=second', undefined],
  ['', undefined],
])('Prefer: %s selects %s', (header, variant) => {
  expect(readPreference(header)?.variant).toBe(variant)
})

/** Each channel: the mock, the name of the organization, what to send and the reason that the answer gives. */
type Channel = () => Promise<{ mock: Mock; name?: string; text?: string; prefer?: string; reason: string }>

const numberOf = (mock: Mock, name: string) => `rule=f_${mock.organization(name).id.slice(4, 12)}_1`

const channels: Record<string, Channel> = {
  'an option': async () => ({ mock: frozenMock({ fault: 'runTask=503' }), reason: 'rule=f1' }),
  'a forced error': async () => ({ mock: frozenMock({ force: '503@runTask' }), reason: 'rule=f1' }),
  'a rule in one line': async () => {
    const mock = frozenMock()
    mock.faults.add('runTask=503')
    return { mock, reason: 'rule=f1' }
  },
  'a control call': async () => {
    const mock = frozenMock()
    const body = { operation: 'runTask', faults: ['503'] }
    await controlOf(mock, mock.credentials('ada').apiKey).done('POST /faults', { body })
    return { mock, name: 'ada', reason: numberOf(mock, 'ada') }
  },
  'a key': async () => {
    const mock = frozenMock()
    const name = 'ada.fault=runTask=503'
    return { mock, name, reason: numberOf(mock, name) }
  },
  'a header': async () => ({ mock: frozenMock(), prefer: 'fault="503"', reason: 'prefer' }),
  'the text of the task': async () => ({ mock: frozenMock(), text: '[[mock:503]]', reason: 'magic' }),
}

test.each(Object.entries(channels))('%s reaches the run, and is its reason', async (_, channel) => {
  const { mock, name, text, prefer, reason } = await channel()
  const { call, newTask, credits } = clientOf(mock, name)
  const before = await credits()
  const id = await newTask(text)
  const { status, headers } = await call('runTask', { id, ...(prefer && { headers: { prefer } }) })
  expect([status, await credits()]).toEqual([503, before])
  expect(headers.get('x-mock-reason')).toMatch(new RegExp(`^${reason}; fault=unavailable`))
  expect(mock.journal.entries({ operation: 'runTask' })[0]?.reason).toBe(headers.get('x-mock-reason'))
})
