/** The mock against the model: whatever clients and operators do in whatever order, both tell the same. */
import {
  array,
  asyncProperty,
  assert as check,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  tuple,
} from 'fast-check'
import { expect, test } from 'vitest'
import { type Client, clientOf } from './testing/client.ts'
import { frozenMock, noon } from './testing/mock.ts'
import { type Command, isFinal, Model, type ModelTask, type Sight } from './testing/model.ts'

const tick_ms = 500
const dayOf = (tick: number) => Math.floor((noon + tick * tick_ms) / 86_400_000)
const tickOf = (time: unknown) => (typeof time === 'string' ? (Date.parse(time) - noon) / tick_ms : null)

/** What a client sees of its organization; tasks and notifications from the oldest to the newest. */
async function see({ ask }: Client): Promise<Sight & { read: boolean[] }> {
  const { items } = (await ask('listTasks')).body
  const tasks: ModelTask[] = []
  for (const { id, status, started_at, finished_at } of [...items].reverse()) {
    const { body } = await ask('getTask', { id })
    expect([body.task.status, body.finished]).toEqual([status, isFinal(status)])
    tasks.push({ status, started: tickOf(started_at), finished: tickOf(finished_at) })
  }
  const { credits } = (await ask('whoami')).body
  const { usedToday, remaining, limit } = (await ask('listTasks', { prefer: 'second' })).body
  expect([remaining, limit]).toEqual([credits, usedToday + credits])
  const notifications = (await ask('listNotifications')).body
  const read = notifications.items.map((one) => one.read).reverse()
  expect(notifications.unread).toBe(read.filter((one) => !one).length)
  return { credits, usedToday, unread: notifications.unread, tasks, read }
}

/** Does the same to the mock as `Model.play` does to the model; asks no more than that, since asking settles. */
async function play(client: Client, tasks: unknown[], command: Command): Promise<unknown> {
  const { ask, state } = client
  switch (command.do) {
    case 'create': {
      const { task } = (await ask('createTask', { body: { text: 'Say hello' } })).body
      tasks.push(task.id)
      return task.status
    }
    case 'run': {
      const { body } = await ask('runTask', { id: String(tasks[command.nth % tasks.length]) })
      return Reflect.get(body, 'error') ?? body.status
    }
    case 'creative': {
      const { body } = await ask('generateCreative', { body: { prompt: 'a' } })
      return Reflect.get(body, 'error') ?? 'hosted'
    }
    case 'read': {
      const { items } = (await ask('listNotifications')).body
      const id = items.at(-1 - (command.nth % items.length))?.id ?? 'none'
      return (await ask('readNotification', { id })).body.ok
    }
    case 'look': {
      const { read: _, ...sight } = await see(client)
      return sight
    }
    default:
      expect(await state(...arrangements(command))).toBe(200)
      return undefined
  }
}

/** The provider state by which an operator does it. */
function arrangements(command: Command): Parameters<Client['state']> {
  switch (command.do) {
    case 'top up':
      return ['credits', { credits: command.credits }]
    case 'occupy':
      return ['agent_busy', { duration_ms: command.ticks * tick_ms }]
    case 'free':
      return ['agent_busy', {}, 'teardown']
    case 'idle':
      return ['agent_idle']
    case 'notify':
      return ['unread_notification']
    case 'jinx run':
      return ['next_run_fails', {}, command.on ? 'setup' : 'teardown']
    case 'jinx creative':
      return ['next_creative_fails', {}, command.on ? 'setup' : 'teardown']
    default:
      throw new Error(`${command.do} is not for operators`)
  }
}

const nth = nat(40)
const on = constantFrom(true, true, true, false)
const command = oneof(
  { weight: 4, arbitrary: record({ do: constant('create' as const) }) },
  { weight: 10, arbitrary: record({ do: constant('run' as const), nth }) },
  { weight: 4, arbitrary: record({ do: constant('look' as const) }) },
  { weight: 2, arbitrary: record({ do: constantFrom('read' as const), nth }) },
  {
    weight: 3,
    arbitrary: record({
      do: constantFrom('creative' as const, 'free' as const, 'idle' as const, 'notify' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: record({ do: constant('top up' as const), credits: constantFrom(0, 0.5, 1, 2, 3.25, 9) }),
  },
  { weight: 2, arbitrary: record({ do: constant('occupy' as const), ticks: nat(12) }) },
  { weight: 4, arbitrary: record({ do: constantFrom('jinx run' as const, 'jinx creative' as const), on }) },
)
const names = ['north', 'south', 'east']
/** A command to an organization, or time that passes: a little, or more than half a day. */
const step = oneof(
  { weight: 3, arbitrary: tuple(nat(names.length - 1), command) },
  {
    weight: 1,
    arbitrary: oneof({ weight: 9, arbitrary: nat(10) }, { weight: 1, arbitrary: constant(100_000) }),
  },
)

test('no interleaving makes the mock and the model differ', { timeout: 60_000 }, async () => {
  const runLengths = constantFrom(0, 1, 4, 4, 7)
  const property = asyncProperty(
    runLengths,
    array(step, { maxLength: 80, size: 'max' }),
    async (length, steps) => {
      const mock = frozenMock({ credits: 3, runDuration: length * tick_ms, rateLimit: 'off' })
      const pairs: { model: Model; compare(asked: Command): Promise<void> }[] = []
      for (const name of names) {
        const client = clientOf(mock, name)
        await client.orgId()
        const { credits, tasks, read } = await see(client)
        const model = new Model({ credits, tasks: [...tasks], read }, { length, dayOf })
        const ids: unknown[] = (await client.ask('listTasks')).body.items.map(({ id }) => id).reverse()
        const compare = async (asked: Command) =>
          expect(await play(client, ids, asked)).toEqual(model.play(asked))
        pairs.push({ model, compare })
      }
      for (const one of steps) {
        if (typeof one === 'number') {
          mock.clock.advance(one * tick_ms)
          for (let i = 0; i < one; i++) for (const { model } of pairs) model.pass()
        } else {
          const [org, asked] = one
          await pairs[org]?.compare(asked)
        }
      }
      for (const { compare } of pairs) await compare({ do: 'look' })
    },
  )
  await check(property, { seed: 20_260_301, numRuns: 300 })
})
