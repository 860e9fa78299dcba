/** One wrong letter in a wish: it is rejected with a suggestion, or means what it says; it is never ignored. */
import { expect, test } from 'vitest'
import { readSettings } from '../scenarios/index.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'
import { type Fault, faultText, parseFault } from './fault.ts'
import { parseForce, parseRule } from './grammar.ts'
import { readPreference } from './prefer.ts'
import { directivesIn, problemInText } from './text-directives.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789_-=:;,. '

/** Every text that differs from another by one letter: left out, added, replaced, or swapped with the next. */
function typos(text: string): string[] {
  const found = new Set<string>()
  for (let i = 0; i <= text.length; i++) {
    const [before, at, after] = [text.slice(0, i), text[i] ?? '', text.slice(i + 1)]
    found.add(before + after)
    if (after) found.add(before + (after[0] ?? '') + at + after.slice(1))
    for (const letter of letters) {
      found.add(before + letter + after)
      found.add(before + letter + at + after)
    }
  }
  found.delete(text)
  return [...found]
}

const meaning = (instructions: readonly Fault[]) => instructions.map(faultText).join()

test('a typo in a Prefer header', () => {
  const ignored = [
    'code=402',
    'error=rate_limited',
    'fault=lost',
    'delay=2',
    'variant=second',
    'fault="delay 50ms"',
  ]
    .flatMap((header) => typos(header))
    .filter((header) => readPreference(header) === undefined && !isNothing(header))
  expect(ignored).toEqual([])
})

/** Whether a header is empty, or names a preference of another standard. */
const isNothing = (header: string) => header.trim() === ''

test('a typo in a text directive', () => {
  const ignored = ['[[mock:fail]]', '[[mock:slow 5s]]', '[[mock:create:503]]', '[[mock:402]]']
    .flatMap((text) => typos(text))
    .filter((text) => problemInText('createTask', text) === undefined)
    .filter((text) => directivesIn(text, 'run').length + directivesIn(text, 'creation').length === 0)
  expect(ignored).toEqual([])
})

test('a typo in an ordinary text with brackets stays a text', () => {
  const texts = [
    'see [1] and [2]',
    'array[[0]]',
    '[[wiki link]]',
    'a [link](mock:x)',
    'm[i] = [[1, 2], [3, 4]]',
    '[mob] rules',
  ]
  expect(texts.filter((text) => problemInText('createTask', text) !== undefined)).toEqual([])
})

test('a typo in a fault rule, and in a forced error', () => {
  const rules = ['runTask=busy,ok;times=2', 'whoami=delay 50ms;rate=0.5;seed=x', 'lost;after=3']
  for (const rule of rules.flatMap(typos)) {
    const read = parseRule(rule)
    if (typeof read === 'string') expect(read).toMatch(/.{20,}/)
    else expect(meaning(read.faults)).not.toBe('')
  }
  for (const force of ['402@runTask', 'busy', 'unavailable@whoami'].flatMap(typos)) {
    const read = parseForce(force)
    if (typeof read === 'string') expect(read).toMatch(/.{10,}/)
    else expect(meaning(read.faults)).not.toBe('')
  }
})

test('a typo in the name of an option', () => {
  for (const name of ['credits', 'runDuration', 'fault', 'chaos', 'scenario'].flatMap(typos)) {
    const read = readSettings({ [name]: 1 } as never)
    expect([name, Array.isArray(read)]).toEqual([name, true])
  }
})

test('a typo in an instruction is never another kind of success', () => {
  for (const word of ['rate_limited', 'truncate', 'malformed', 'slow 5s', 'delay 100ms..900ms'].flatMap(
    typos,
  )) {
    const read = parseFault(word)
    if (read) expect(parseFault(faultText(read))).toEqual(read)
  }
})

test('over HTTP each rejection is a 400 that names the wish and the nearest word', async () => {
  const { call } = clientOf(frozenMock())
  for (const [prefer, nearest] of [
    ['error=ratelimited', 'rate_limited'],
    ['code=999', 'write 400, 401, 402'],
    ['fault=lots', '"lost"'],
    ['cod=402', '"code"'],
    ['variant=secnd', '"second"'],
    ['code=402', 'an answer of runTask'],
  ] as const) {
    const { status, text, headers } = await call('whoami', { headers: { prefer } })
    expect([prefer, status, headers.get('x-mock-reason')]).toEqual([prefer, 400, 'prefer; not understood'])
    expect(text.replaceAll('\\"', '"')).toContain(nearest)
    expect(text).not.toContain('?.')
  }
  for (const text of ['please [[mock:fial]]', '[[mok:fail]]', '[[mock:create:402]]']) {
    const reply = await call('createTask', { body: { text } })
    expect([text, reply.status, reply.headers.get('x-mock-reason')]).toEqual([
      text,
      400,
      'magic; not understood',
    ])
  }
})

test('under quirks the rejection is still readable', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const { call } = clientOf(frozenMock({ strictClient: seed }))
    const { status, text } = await call('whoami', { headers: { prefer: 'error=ratelimited' } })
    expect([status, text.includes('rate_limited')]).toEqual([400, true])
  }
})

test('a typo in the options of a key is 401 with the nearest option', async () => {
  const mock = frozenMock()
  for (const [key, nearest] of [
    ['wak_test_a.credts=0', 'credits'],
    ['wak_test_a.credits0', 'credits='],
    ['wak_test_a.fault=runTsk=busy', 'runTask'],
  ] as const) {
    const headers = { authorization: `Bearer ${key}` }
    const response = await mock.fetch(new Request('http://mock.test/api/cli/whoami', { headers }))
    expect([key, response.status]).toEqual([key, 401])
    const text = await response.text()
    expect(text).toContain(nearest)
    expect(text).not.toContain('?.')
  }
})

test('a typo in a control call is 400 with the nearest field', async () => {
  const { call } = controlOf(frozenMock())
  for (const [route, body, nearest] of [
    ['POST /faults', { rul: 'runTask=busy' }, 'rule'],
    ['POST /faults', { rule: 'runTask=bsy' }, 'busy'],
    ['POST /faults', { faults: ['lots'] }, 'lost'],
    ['POST /organizations', { nam: 'x' }, 'name'],
  ] as const) {
    const reply = await call(route, { body })
    expect([route, reply.status]).toEqual([route, 400])
    const text = JSON.stringify(reply.body)
    expect(text).toContain(nearest)
    expect(text).not.toContain('?.')
  }
})

test('a typo in a parameter of a control call is 400 with the nearest parameter', async () => {
  const { call } = controlOf(frozenMock())
  for (const [route, query, nearest] of [
    ['GET /report', '?formt=html', 'format'],
    ['GET /requests', '?oprtion=whoami', 'operation'],
    ['GET /ledger', '?orgid=x', 'org_id'],
  ] as const) {
    const reply = await call(route, { query })
    expect([route, reply.status]).toEqual([route, 400])
    expect(JSON.stringify(reply.body)).toContain(nearest)
  }
})
