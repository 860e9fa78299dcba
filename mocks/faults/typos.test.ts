/** One wrong letter in a wish: it is rejected with a suggestion, or means what it says; it is never ignored. */
import { expect, test } from 'vitest'
import { readSettings } from '../scenarios/index.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'
import { sample } from '../testing/sample.ts'
import { directivesIn, problemInText, readPreference } from './directives.ts'
import { type Fault, faultText, parseFault } from './fault.ts'
import { parseForce, parseRule } from './grammar.ts'

const letters = sample([...'abcdefghijklmnopqrstuvwxyz0123456789_-=:;,. '], 2)

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
  const codes = ['code=402', 'error=rate_limited', 'variant=second']
  const ignored = [...codes, 'fault=lost', 'delay=2', 'fault="delay 50ms"']
    .flatMap(typos)
    .filter((header) => readPreference(header) === undefined && header.trim() !== '')
  expect(ignored).toEqual([])
})

test('a typo in a text directive', () => {
  const ignored = ['[[mock:fail]]', '[[mock:slow 5s]]', '[[mock:create:503]]', '[[mock:402]]']
    .flatMap((text) => typos(text))
    .filter((text) => problemInText('createTask', text) === undefined)
    .filter((text) => directivesIn(text, 'run').length + directivesIn(text, 'creation').length === 0)
  expect(ignored).toEqual([])
})

test('a typo in an ordinary text with brackets stays a text', () => {
  const texts = ['see [1] and [2]', 'array[[0]]', '[[wiki link]]', 'a [link](mock:x)', '[mob] rules']
  texts.push('m[i] = [[1, 2], [3, 4]]')
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
  const words = ['rate_limited', 'truncate', 'malformed', 'slow 5s', 'delay 100ms..900ms']
  for (const word of words.flatMap(typos)) {
    const read = parseFault(word)
    if (read) expect(parseFault(faultText(read))).toEqual(read)
  }
})

/** Without what JSON does to quotes. */
const plain = (json: string) => json.replaceAll('\\"', '"')

test.each([
  ['error=ratelimited', 'did you mean "rate_limited"'],
  ['fault=lots', 'did you mean "lost"'],
  ['cod=402', 'did you mean "code"'],
  ['variant=secnd', 'did you mean "second"'],
  ['variant=2', 'write first or second'],
  ['code=999', 'write 400, 401, 402'],
  ['error=zzz', 'write unauthorized, '],
  ['code=402, respond-async', 'that is an answer of runTask and generateCreative'],
  ['fault=slow 5s', 'fault="slow 5s"'],
  ['fault=delay 20ms', 'in quotes'],
])('Prefer: %s is a 400 that says %s, and is not applied', async (prefer, hint) => {
  const { status, text, headers } = await clientOf(frozenMock()).call('whoami', { headers: { prefer } })
  expect([status, headers.get('x-mock-reason')]).toEqual([400, 'prefer; not understood'])
  expect(headers.get('preference-applied')).toBeNull()
  const message = plain(text)
  expect([message, message.includes('did you mean')]).toEqual([
    expect.stringContaining(hint),
    hint.startsWith('did you mean'),
  ])
  expect(message).not.toContain('?.')
})

test.each([
  ['please [[mock:fial]]', 'did you mean "fail"?'],
  ['[[mok:fail]]', '[[mock:fail]]'],
  ['[[mock:create:402]]', 'cannot'],
  ['[[mock:creat:503]] Hello', 'did you mean [[mock:create:503]]?'],
])('the text %s is a 400 that says %s', async (text, hint) => {
  const reply = await clientOf(frozenMock()).call('createTask', { body: { text } })
  expect([reply.status, reply.headers.get('x-mock-reason')]).toEqual([400, 'magic; not understood'])
  expect(plain(reply.text)).toContain(hint)
})

test('under quirks the rejection is still readable', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const { call } = clientOf(frozenMock({ strictClient: seed }))
    const { status, text } = await call('whoami', { headers: { prefer: 'error=ratelimited' } })
    expect([status, text.includes('rate_limited')]).toEqual([400, true])
  }
})

test.each([
  ['a.credts=0', 'credits'],
  ['a.credits0', 'credits='],
  ['a.Credits=0', 'credits'],
  ['a.run_outcome=failed', 'run-outcome'],
  ['a.runOutcome=failed', 'run-outcome'],
  ['a.credits=1.credits=2', 'credits is given twice'],
  ['a.fault=runTsk=busy', 'runTask'],
  ['a.fault=whoami=busy', 'cannot make whoami'],
  ['a.scenario=slow-rum', 'slow-run'],
  ['a.strict-client=ids-numbers,created-20', 'created-201'],
  ['a.past=100000', 'at most 5000 tasks'],
])('the key of %s is a 401 that names %s', async (name, nearest) => {
  const mock = frozenMock()
  const headers = { authorization: `Bearer wak_test_${name}` }
  const response = await mock.fetch('http://mock.test/api/cli/whoami', { headers })
  const text = await response.text()
  expect([response.status, text]).toEqual([401, expect.stringContaining(nearest)])
  expect(text).not.toContain('?.')
  expect(() => mock.credentials(name)).toThrow(nearest)
  expect(mock.ledgers()).toEqual([])
})

test.each([
  ['POST /organizations', { body: { nam: 'x' } }, 'name'],
  ['GET /report', { query: '?formt=html' }, 'format'],
  ['GET /requests', { query: '?oprtion=whoami' }, 'operation'],
  ['GET /ledger', { query: '?orgid=x' }, 'org_id'],
])('%s with %j is a 400 that names %s', async (route, input, nearest) => {
  const { status, body } = await controlOf(frozenMock()).call(route, input)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(nearest)])
  expect(JSON.stringify(body)).not.toContain('?.')
})
