/** Compares the mock with the model under random actions of clients and operators. */
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
import { type Command, isFinal, Model, type ModelTask, type VisibleState } from './testing/model.ts'
import { isWhole } from './testing/sample.ts'

const tick_ms = 500
const dayOf = (tick: number) => Math.floor((noon + tick * tick_ms) / 86_400_000)
const tickOf = (time: unknown) => (typeof time === 'string' ? (Date.parse(time) - noon) / tick_ms : null)

/** Returns what a client sees of its organization; tasks and notifications oldest first. */
async function see({ call }: Client): Promise<VisibleState & { read: boolean[] }> {
  const { items } = (await call('listTasks')).body
  const tasks: ModelTask[] = []
  for (const { id, status, started_at, finished_at } of [...items].reverse()) {
    const { body } = await call('getTask', { id })
    expect([body.task.status, body.finished]).toEqual([status, isFinal(status)])
    tasks.push({ status, started: tickOf(started_at), finished: tickOf(finished_at) })
  }
  const { credits } = (await call('whoami')).body
  const { usedToday, remaining, limit } = (await call('listTasks', { prefer: 'second' })).body
  expect([remaining, limit]).toEqual([credits, usedToday + credits])
  const notifications = (await call('listNotifications')).body
  const read = notifications.items.map((one) => one.read).reverse()
  expect(notifications.unread).toBe(read.filter((one) => !one).length)
  return { credits, usedToday, unread: notifications.unread, tasks, read }
}

/** Executes a command on the mock as `Model.play` does on the model, without further requests, which would settle. */
async function play(client: Client, tasks: unknown[], command: Command): Promise<unknown> {
  const { call, state } = client
  switch (command.do) {
    case 'create': {
      const { task } = (await call('createTask', { body: { text: 'Say hello' } })).body
      tasks.push(task.id)
      return task.status
    }
    case 'run': {
      const { body } = await call('runTask', { id: String(tasks[command.nth % tasks.length]) })
      return Reflect.get(body, 'error') ?? body.status
    }
    case 'creative': {
      const { body } = await call('generateCreative', { body: { prompt: 'a' } })
      return Reflect.get(body, 'error') ?? 'hosted'
    }
    case 'read': {
      const { items } = (await call('listNotifications')).body
      const id = items.at(-1 - (command.nth % items.length))?.id ?? 'none'
      return (await call('readNotification', { id })).body.ok
    }
    case 'read all': {
      const { read: _, ...visible } = await see(client)
      return visible
    }
    default:
      expect(await state(...arrangements(command))).toBe(200)
      return undefined
  }
}

/** Returns the provider state for a command of an operator. */
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
    case 'fail run':
      return ['next_run_fails', {}, command.on ? 'setup' : 'teardown']
    case 'fail creative':
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
  { weight: 4, arbitrary: record({ do: constant('read all' as const) }) },
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
  { weight: 4, arbitrary: record({ do: constantFrom('fail run' as const, 'fail creative' as const), on }) },
)
const names = ['north', 'south', 'east']
/** A command for an organization, or ticks that pass: a few, or more than half a day. */
const step = oneof(
  { weight: 3, arbitrary: tuple(nat(names.length - 1), command) },
  {
    weight: 1,
    arbitrary: oneof({ weight: 9, arbitrary: nat(10) }, { weight: 1, arbitrary: constant(100_000) }),
  },
)

test('the mock and the model agree for every interleaving', { timeout: 60_000 }, async () => {
  const runLengths = constantFrom(0, 1, 4, 4, 7)
  const property = asyncProperty(
    runLengths,
    array(step, { maxLength: 80, size: 'max' }),
    async (length, steps) => {
      const mock = frozenMock({ credits: 3, runDuration: length * tick_ms, rateLimit: 'off' })
      const pairs: { model: Model; compare(command: Command): Promise<void> }[] = []
      for (const name of names) {
        const client = clientOf(mock, name)
        await client.orgId()
        const { credits, tasks, read } = await see(client)
        const model = new Model({ credits, tasks: [...tasks], read }, { length, dayOf })
        const ids: unknown[] = (await client.call('listTasks')).body.items.map(({ id }) => id).reverse()
        const compare = async (command: Command) =>
          expect(await play(client, ids, command)).toEqual(model.play(command))
        pairs.push({ model, compare })
      }
      for (const one of steps) {
        if (typeof one === 'number') {
          mock.clock.advance(one * tick_ms)
          for (let i = 0; i < one; i++) for (const { model } of pairs) model.pass()
        } else {
          const [org, command] = one
          await pairs[org]?.compare(command)
        }
      }
      for (const { compare } of pairs) await compare({ do: 'read all' })
    },
  )
  await check(property, { seed: 20_260_301, numRuns: isWhole ? 300 : 100 })
})
