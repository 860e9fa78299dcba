/** `mock --from`: a recording of the mock, rebuilt by the command, and what it says of it. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'
import { mockCommandDefinition } from '../command-lines.ts'
import { readCommandLine, UsageError } from '../flags.ts'
import { createTestFolder } from '../testing/folder.ts'
import { createMockFromRecording } from './from.ts'
import { readMockOptions } from './options.ts'

/** A recording of two tasks, of which the second could not be created at first. */
async function recording() {
  const mock = createMock({ credits: 7, fault: 'createTask=ok,unavailable' })
  const { call, newTask } = uncheckedClientOf(mock)
  await call('whoami')
  const id = await newTask('one')
  await newTask('two')
  await call('getTask', { id })
  const har = mock.journal.har()
  return { file: createTestFolder().write('staging.har', har), har, id }
}

/** A client of the mock that a file is rebuilt to, and what the command says of it. */
async function rebuilt(file: string, until?: number) {
  const { mock, notes } = await createMockFromRecording(file, until)
  return { notes, ...uncheckedClientOf(mock) }
}

test('the recorded state is there, and the fault, which is said on start', async () => {
  const { file, id } = await recording()
  const { call, newTask, notes } = await rebuilt(file)
  expect(notes).toEqual(['entry 3: 503 unavailable stays as a fault'])
  expect((await call('whoami')).body.credits).toBe(7)
  expect((await call('getTask', { id })).status).toBe(404)
  expect(await newTask('one')).toBe(id)
  const two = { body: { text: 'two' } }
  expect((await call('createTask', two)).status).toBe(503)
  expect((await call('createTask', two)).status).toBe(200)
})

test.each(['-1e999', '1e308'])('a balance of %s is one that was not told', async (balance) => {
  const text = JSON.stringify((await recording()).har)
  const changed = text.replaceAll('\\"credits\\":7', `\\"credits\\":${balance}`)
  const { call } = await rebuilt(createTestFolder().write('changed.har', changed))
  expect((await call('whoami')).body.credits).toBe(25)
})

test('a secret that is left out is no difference, and it is said that an answer is', async () => {
  const mock = createMock()
  const { call } = uncheckedClientOf(mock)
  await call('createKey', { body: { name: 'Laptop' } })
  await call('whoami')
  const isLeftOut = (name: string, value: unknown) => name === 'text' && String(value).includes('"plan"')
  const har = JSON.stringify(mock.journal.har(), (name, value) =>
    isLeftOut(name, value) ? undefined : value,
  )
  const { notes } = await rebuilt(createTestFolder().write('cut.har', har))
  expect(notes).toEqual(['entry 2: the answer is not in the recording'])
})

test('--until begins just before an entry', async () => {
  const { file, id } = await recording()
  const { from = '', until } = readMockOptions(
    readCommandLine(mockCommandDefinition, ['--from', file, '--until', '3'], {}),
  )
  const { call } = await rebuilt(from, until)
  expect((await call('getTask', { id })).status).toBe(200)
  expect((await call('createTask', { body: { text: 'two' } })).status).toBe(503)
})

test('--until takes an entry that there is', async () => {
  const { file, har } = await recording()
  const last = har.log.entries.length
  await rebuilt(file, last)
  await expect(rebuilt(file, last + 1)).rejects.toThrow(
    new UsageError(`--until takes an entry from 1 to ${last}: the recording has no others`),
  )
})

/** A run that is answered by a 409 or by a success, in JSON that is broken, and what follows. */
test.each([
  ['runTask=malformed', ['entry 4: 200 stays as a fault', 'entry 5: 409 stays as a fault']],
  ['runTask=ok,malformed', ['entry 5: 409 stays as a fault']],
  ['createTask=malformed', ['entry 2: 200 stays as a fault']],
] as const)('with %s broken JSON stays as a fault, and what it did has happened', async (fault, expected) => {
  const mock = createMock({ credits: 7, fault })
  const { call } = uncheckedClientOf(mock)
  const unread = () => undefined
  await call('whoami')
  await call('createTask', { body: { text: 'one' } }).catch(unread)
  const { body } = await call('listTasks')
  const [{ id }] = body.items as [{ id: string }]
  await call('runTask', { id }).catch(unread)
  await call('runTask', { id }).catch(unread)
  await call('getTask', { id })
  await call('whoami')
  const { notes } = await rebuilt(createTestFolder().write('broken.har', mock.journal.har()))
  expect(notes).toEqual(expected)
})

test('organizations whose keys a recorder has numbered stay apart', async () => {
  const { har } = await recording()
  const text = JSON.stringify(har).replace(/"_organization":"[^"]*"/g, '"_unknown":true')
  const [whoami] = JSON.parse(text).log.entries
  const ofOther = JSON.parse(JSON.stringify(whoami).replace(/org_\w+/, 'org_of_another'))
  const entries = [whoami, ofOther].map((one, i) => ({
    ...one,
    request: {
      ...one.request,
      headers: [{ name: 'authorization', value: `Bearer [redacted-${i + 1}]` }],
    },
  }))
  const file = createTestFolder().write('numbered.har', JSON.stringify({ log: { entries } }))
  const { notes } = await rebuilt(file)
  expect(notes).toEqual([])
})
