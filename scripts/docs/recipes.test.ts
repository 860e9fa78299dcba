/** Every way that the recipes of `docs/error-cases.md` tell leads to what its heading says. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mockCommandDefinition } from '#cli/command-lines.ts'
import { readCommandLine } from '#cli/flags.ts'
import type { OperationId } from '#contract/operation.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import { mockOptionsSchema } from '#mocks/config/options.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { testOrigin, type UncheckedResponse, uncheckedClientOf } from '#mocks/testing/client.ts'

type Cook = ReturnType<typeof cookOf>

/** Asks until an answer has a status, at most ten times. */
async function until(status: number, call: () => Promise<UncheckedResponse>): Promise<UncheckedResponse> {
  let last = await call()
  for (let i = 0; i < 10 && last.status !== status; i++) last = await call()
  expect(last.status).toBe(status)
  return last
}

/** Runs a task, and returns the answer about it after so many ms. */
async function ranFor({ mock, call, newTask }: Cook, ms: number) {
  const id = await newTask()
  await call('runTask', id)
  mock.clock.advance(ms)
  return (await call('getTask', id)).body
}

/** Result of each recipe, by its heading. */
const told: Record<string, (cook: Cook) => Promise<unknown>> = {
  '… a 402': async ({ run }) => expect((await until(402, run)).body.error).toBe('no_credits'),
  '… a 402 that a top-up ends': async ({ mock, call, run }) => {
    await until(402, run)
    mock.clock.advance(3_000)
    expect((await call('whoami')).body.credits).toBe(5)
  },
  '… a busy agent': async ({ mock, call, newTask }) => {
    const id = await newTask()
    expect(await call('runTask', id)).toMatchObject({ status: 409, body: { error: 'busy' } })
    mock.clock.advance(20_000)
    expect((await call('getTask', id)).body.finished).toBe(true)
  },
  '… a rejected run': async ({ run }) => {
    const answers = [await run(), await run()]
    expect(answers.map(({ body }) => body.error)).toContain('invalid_request')
  },
  '… a run that fails': async (cook) =>
    expect(await ranFor(cook, 2_000)).toMatchObject({ finished: true, task: { status: 'failed' } }),
  '… a slow run': async (cook) => {
    expect((await ranFor(cook, 14_999)).finished).toBe(false)
    cook.mock.clock.advance(1)
    expect((await ranFor(cook, 15_000)).finished).toBe(true)
  },
  '… a run that finishes at once': async (cook) => expect((await ranFor(cook, 0)).finished).toBe(true),
  '… a lost answer': async ({ call, newTask }) => {
    const id = await newTask()
    await expect(call('runTask', id)).rejects.toThrow('fetch failed')
    expect((await call('getTask', id).catch(() => call('getTask', id))).body.task?.status).toBe('in_progress')
  },
  '… a 429': async ({ call }) =>
    expect((await until(429, () => call('whoami'))).headers.get('retry-after')).toMatch(/^\d$/),
  '… a 429 with a date': async ({ call }) =>
    expect((await until(429, () => call('whoami'))).headers.get('retry-after')).toMatch(/GMT$/),
  '… an outage': ({ call }) => until(503, () => call('whoami')),
  '… a 500': async ({ call }) =>
    expect(await call('listTasks')).toMatchObject({ status: 500, body: { error: 'internal_error' } }),
  '… an answer that is not JSON': ({ call }) => expect(call('listTasks')).rejects.toThrow(SyntaxError),
  '… a connection that breaks': ({ call }) => expect(call('listTasks')).rejects.toThrow('fetch failed'),
  '… a slow answer': async ({ call }) => {
    const started = performance.now()
    expect((await call('listTasks')).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThan(25)
  },
  '… a slow error': async ({ call }) => {
    const started = performance.now()
    expect((await call('listTasks')).status).toBe(503)
    expect(performance.now() - started).toBeGreaterThan(25)
  },
  '… a list that is late': async ({ mock, call, newTask }) => {
    const id = await newTask()
    const isListed = async () => JSON.stringify((await call('listTasks')).body).includes(id)
    expect([await isListed(), (await call('getTask', id)).status]).toEqual([false, 200])
    mock.clock.advance(1_000)
    expect(await isListed()).toBe(true)
  },
  '… a list without an order': async ({ call, newTask }) => {
    for (let i = 0; i < 5; i++) await newTask()
    const orders = new Set<string>()
    for (let i = 0; i < 5; i++) orders.add(JSON.stringify((await call('listTasks')).body))
    expect(orders.size).toBeGreaterThan(1)
  },
  '… random faults': async ({ mock, call }) => {
    for (let i = 0; i < 30; i++) await call('listDocuments').catch(() => undefined)
    const faulted = mock.journal.entries().filter(({ reason }) => reason !== null)
    expect(faulted.length).toBeGreaterThan(5)
    expect(faulted.length).toBeLessThan(25)
  },
  '… a deleted key': async ({ call }) => {
    await until(401, () => call('whoami'))
    expect((await call('whoami')).status).toBe(401)
  },
  '… the second variant': async ({ call }) =>
    expect((await call('listTasks')).body).toHaveProperty('usedToday'),
  '… both variants at once': async ({ run }) =>
    expect((await run()).body).toMatchObject({ ok: true, finished: false }),
  '… everything that is legal but unusual': async ({ call }) => {
    const usual = await uncheckedClientOf(createMock()).call('listTasks')
    expect(Object.keys((await call('listTasks')).body)).not.toEqual(Object.keys(usual.body))
  },
  '… an empty organization': async ({ call }) => expect((await call('listTasks')).body.items).toEqual([]),
  '… five thousand tasks': async ({ call }) =>
    expect((await call('listTasks')).body.items).toHaveLength(5_000),
  '… a service without the extended routes': async ({ call }) =>
    expect((await call('getWallet')).status).toBe(404),
  '… a new notification': async ({ call }) => {
    const { items } = (await call('listNotifications')).body
    expect(items).toContainEqual(expect.objectContaining({ title: 'Welcome' }))
  },
}

function still(options: MockOptions = {}): Mock {
  const mock = createMock(options)
  mock.clock.freeze(Date.UTC(2026, 2, 1, 12))
  return mock
}

/** A client for a recipe: it sends a header to a mock, and creates tasks with a text. */
function cookOf(mock: Mock, { name, prefer, text }: { name?: string; prefer?: string; text?: string } = {}) {
  const { call: ask, newTask: create } = uncheckedClientOf(mock, name)
  const call = (operation: OperationId, id = 'none') =>
    ask(operation, { id, ...(prefer && operation !== 'getTask' && { headers: { prefer } }) })
  const newTask = () => create(text)
  return { mock, call, newTask, run: async () => call('runTask', await newTask()) }
}

const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** The ways to follow a recipe; each applies the text that the page shows for it. */
const ways: Record<string, (written: string) => Cook | Promise<Cook>> = {
  flag(written) {
    const { values } = readCommandLine(mockCommandDefinition, words(written.replace('npm start -- ', '')), {})
    expect(Object.keys(values).filter((name) => !(name in mockOptionsSchema.shape))).toEqual([])
    return cookOf(still(values as MockOptions))
  },
  scenario: (written) => ways.flag?.(written) as Cook,
  key: (written) => cookOf(still(), { name: written.replace(/^wak_test_/, '') }),
  header: (written) => cookOf(still(), { prefer: written.replace(/^Prefer: /, '') }),
  text: (written) => cookOf(still(), { text: `Say hello ${written}` }),
  async control(written) {
    const mock = still()
    const cook = cookOf(mock)
    const [, path, body = ''] = /^curl \$MOCK\/__admin\/(\S+) -H "\$KEY" --json '(.*)'$/.exec(written) ?? []
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    const answer = await mock.fetch(
      new Request(`${testOrigin}/__admin/${path}`, { method: 'POST', headers, body }),
    )
    expect(answer.status).toBe(200)
    return cook
  },
  'in a test'(written) {
    const mock = still()
    const made = new Function('createMock', 'mock', `return ${written}`)(still, mock)
    return cookOf(written.startsWith('createMock') ? made : mock)
  },
}

const page = readFileSync(new URL('../../docs/error-cases.md', import.meta.url), 'utf8')
const recipes = page
  .split(/^#{2,3} /m)
  .filter((section) => section.startsWith('… '))
  .map((recipe) => ({
    title: recipe.slice(0, recipe.indexOf('\n')),
    rows: [...recipe.matchAll(/^- (?<way>[a-z ]+): `(?<written>.+?)`(?: \(.*\))?$/gm)].map(
      ({ groups: { way = '', written = '' } = {} }) => ({ way, written }),
    ),
    lines: [...recipe.matchAll(/^- /gm)].length,
  }))

test('every recipe is tried, and every row of it', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(told))
  for (const { title, rows, lines } of recipes) expect([title, rows.length]).toEqual([title, lines])
})

describe.each(recipes)('$title', ({ title, rows }) => {
  test.each(rows)('$way: $written', async ({ way, written }) => {
    const cook = await ways[way]?.(written)
    expect(cook).toBeDefined()
    if (cook) await told[title]?.(cook)
    expect(cook?.mock.bugs).toEqual([])
  })
})
