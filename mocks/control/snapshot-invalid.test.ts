/** Invalid snapshots are rejected with a reason and change nothing. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'

const options = { seed: 'snap', runOutcome: 0.4, credits: 9, rateLimit: '200/60s' }

const copyOf = <T>(json: T): T => JSON.parse(JSON.stringify(json))

/** Changes that invalidate a snapshot: a name, a path and the change of its value. */
const invalid: [string, string, (value: unknown) => unknown][] = [
  ['no kind', 'of', () => undefined],
  ['another version', 'version', () => 2],
  ['an invalid option', 'options.credits', () => -1],
  ['an unknown option', 'options.nope', () => 1],
  ['no clock', 'clock', () => undefined],
  ['an organization twice', 'organizations', (list) => [list, list].flat()],
  ['a task without text', 'organizations.0.state.tasks.0.text', () => undefined],
  ['an id twice', 'organizations.0.state.documents.0.id', () => 'document_2'],
  ['a run without an agent', 'organizations.0.state.agent.active', () => null],
  ['an agent without a run', 'organizations.0.state.agent.waiting', () => ['task_none']],
  ['an invalid random state', 'organizations.0.state.chance.ids', () => [1, 2]],
  ['a time that no Date holds', 'organizations.0.state.tasks.0.created_at', () => -1e308],
  ['an end that no Date holds', 'organizations.0.state.tasks.0.run.ends_at', () => 1e16],
  ['a rule id that no header holds', 'faults.rules.0.id', () => '\ud800'],
  ['a task id that no path holds', 'organizations.0.state.tasks.0.id', () => '\ud800'],
  ['more credits than numbers can tell', 'organizations.0.state.ledger.0.amount', () => 1e308],
  ['an unknown fault', 'faults.rules.0.faults', () => ['nope']],
]

/** Changes the value at a path. */
function edit(json: unknown, [name = '', ...rest]: string[], change: (value: unknown) => unknown): void {
  const fields = json as Record<string, unknown>
  if (rest.length > 0) edit(fields[name], rest, change)
  else fields[name] = change(fields[name])
}

test.each(
  invalid,
)('a snapshot with %s is rejected with a reason and changes nothing', async (_, path, change) => {
  const mock = frozenMock({ ...options, fault: 'whoami=ok,503' })
  const { call, newTask } = clientOf(mock, 'ada')
  await call('runTask', { id: await newTask() })
  const before = copyOf(mock.snapshot())
  const json = copyOf(before)
  edit(json, 'organizations.0.state.documents.1.id'.split('.'), () => 'document_2')
  edit(json, path.split('.'), change)
  const { status, body } = await controlOf(mock).call('PUT /state', { body: json })
  expect(status).toBe(400)
  expect(body.title).toMatch(/.{20,}/)
  expect(copyOf(mock.snapshot())).toEqual(before)
})

test.each([
  [{}, 'Invalid snapshot: of: takes mock or organization.'],
  [[], 'Invalid snapshot: it: takes an object.'],
])('%j is refused in plain words', (json, message) => {
  expect(() => frozenMock().restore(json as never)).toThrow(message)
})
