/** Quirks of bodies: values that the specification leaves open (§2). */

import type { JsonObject } from '#traffic/exchange.ts'
import type { SeededRandom } from '../core/random.ts'
import { type TaskStatus, taskStatusSchema } from '../core/resources.ts'
import {
  composeRewrites,
  createBodyRewrite,
  createFieldRewrite,
  createObjectRewrite,
  mapObjects,
  type QuirkTable,
  quirkListOf,
  shuffle,
} from './quirk.ts'

const toCents = (credits: unknown) => credits && Math.round(Number(credits) * 100) / 100
const describe = (description: unknown) => description ?? 'As requested.'

/** Quirks (legal but unusual behaviours) of values in answer bodies. */
export const valueQuirks = quirkListOf({
  'plan-object': {
    title: 'plan is an object.',
    allowed: '#org-plan: a string or an object.',
    share: 0.5,
    rewrite: createFieldRewrite('plan', (code) => ({ code, seats: null }), 'whoami', 'getBilling'),
  },
  'org-name-null': {
    title: 'org.name is null.',
    allowed: '#org-name: null is a value.',
    share: 0.5,
    rewrite: createFieldRewrite('org.name', () => null, 'whoami'),
  },
  'task-described': {
    title: 'A task has a description.',
    allowed: '#task-fields: a description may be present or null.',
    share: 0.5,
    rewrite: composeRewrites(
      createFieldRewrite('task.description', describe, 'createTask', 'getTask'),
      createFieldRewrite('items.*.description', describe, 'listTasks'),
    ),
  },
  'key-string': {
    title: 'key of a created key is its id, as a string.',
    allowed: '#key-value: a string or an object.',
    group: 'key form',
    share: 0.15,
    rewrite: createFieldRewrite('key', (key) => String(Reflect.get(Object(key), 'id')), 'createKey'),
  },
  'key-masked': {
    title: 'key of a created key is its prefix and an ellipsis.',
    allowed: '#key-value: a string or an object.',
    group: 'key form',
    share: 0.15,
    rewrite: createFieldRewrite('key', (key) => `${Reflect.get(Object(key), 'prefix')}…`, 'createKey'),
  },
  'key-prefix-masked': {
    title: 'The prefix of a key ends in an ellipsis.',
    allowed: '#key-prefix: dots may end it.',
    share: 0.3,
    rewrite: createFieldRewrite('keys.*.prefix', (prefix) => `${prefix}…`, 'listKeys'),
  },
  'credits-fractions': {
    title: 'Balances have fractions, and are written with two decimals.',
    allowed: '#org-credits: fractions are allowed.',
    group: 'credits',
    share: 1 / 3,
    looseCredits: 0.1,
    rewrite: createFieldRewrite('credits', toCents, 'whoami', 'listTasks', 'createTask', 'getBilling'),
  },
  'credits-halves': {
    title: 'Balances end in half a credit.',
    allowed: '#org-credits: fractions are allowed.',
    group: 'credits',
    share: 1 / 3,
    looseCredits: 0.5,
  },
  'prospects-null': {
    title: 'Fields of prospects are null.',
    allowed: '#prospect-fields: null is a value.',
    group: 'prospects',
    share: 0.3,
    rewrite: composeRewrites(
      ...['name', 'email', 'phone', 'createdTime', 'campaign'].map((field) =>
        createFieldRewrite(`prospects.*.${field}`, () => null, 'listLeads'),
      ),
    ),
  },
  'wallet-plain': {
    title: 'Wallet and billing consist of numbers and null.',
    allowed: '#opaque-objects: the type of each is open.',
    share: 0.3,
    rewrite: composeRewrites(
      createFieldRewrite('balance', () => 0, 'getWallet'),
      createFieldRewrite('funding', () => null, 'getWallet'),
      createFieldRewrite('autoRecharge', () => 0, 'getWallet'),
      createFieldRewrite('tiers', () => null, 'getBilling'),
      createFieldRewrite('packs', () => 0, 'getBilling'),
    ),
  },
})

/** A quirk that renames the statuses of tasks. `names`: one for each status of the mock, in order. */
const vocabulary = (id: string, title: string, names: readonly string[], share = 1 / 7): QuirkTable => {
  const rename = (status: unknown) => names[taskStatusSchema.options.indexOf(status as TaskStatus)] ?? status
  return {
    [`status-${id}`]: {
      title,
      allowed: '#status-names: the names are unpublished.',
      group: 'status names',
      share,
      rewrite: composeRewrites(
        createFieldRewrite('task.status', rename, 'createTask', 'getTask'),
        createFieldRewrite('items.*.status', rename, 'listTasks'),
        createFieldRewrite('status', rename, 'runTask'),
      ),
    },
  }
}

const oneFinal = 'A task has the same final status whether its run failed or not.'
const waitingAsNew = 'A task whose run waits has the status of a new task.'
const unchanged = 'A task keeps the status of a new task until its run ends.'

/** Quirks (legal but unusual behaviours) of the words for the statuses of tasks. */
export const statusQuirks = quirkListOf({
  ...vocabulary('names', 'Statuses have names in capital letters.', [
    'NEW',
    'QUEUED',
    'RUNNING',
    'DONE',
    'ERROR',
  ]),
  ...vocabulary('words', 'Statuses are other words.', [
    'drafted',
    'lined_up',
    'in_progress',
    'delivered',
    'gave_up',
  ]),
  ...vocabulary('phrases', 'Statuses are phrases.', [
    'new',
    'waiting for the agent',
    'being worked on',
    'done ✔',
    'not done ✘',
  ]),
  ...vocabulary('digits', 'Statuses are digits.', ['10', '20', '30', '40', '50']),
  ...vocabulary('japanese', 'Statuses are in Japanese.', ['待機中', '順番待ち', '作業中', '完了', '失敗']),
  ...vocabulary('one-final', oneFinal, [
    'task.created',
    'task.waiting',
    'in_progress',
    'task.archived',
    'task.archived',
  ]),
  ...vocabulary('waiting-as-new', waitingAsNew, [
    'in_review',
    'in_review',
    'in_progress',
    'completed',
    'cancelled',
  ]),
  ...vocabulary(
    'made-up',
    'Statuses are made-up words.',
    ['wexil', 'drumpo', 'in_progress', 'quoval', 'brizmet'],
    0,
  ),
  ...vocabulary('queued-as-new', unchanged, ['pending', 'pending', 'pending', 'completed', 'failed'], 0),
})

const camel = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const same = (field: string) => field
const iso = (at: number) => new Date(at).toISOString()

/** Time fields whose names the specification gives. */
const published = new Set(['last_used_at', 'createdTime'])

const group = 'times'

const times = (
  id: string,
  title: string,
  rename: (field: string) => string,
  form: (at: number) => string | number,
): QuirkTable => {
  const isTime = (name: string) => name.endsWith('_at') || published.has(name)
  const retimed = (fields: JsonObject): JsonObject => {
    const all: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      if (!isTime(name)) all[name] = value
      else
        all[published.has(name) ? name : rename(name)] =
          typeof value === 'string' ? form(Date.parse(value)) : value
    }
    return all
  }
  return {
    [`times-${id}`]: {
      title,
      allowed: '#task-times, #key-last-used: names and formats are open.',
      group,
      share: 0.2,
      rewrite: createBodyRewrite((body) =>
        mapObjects(body, (fields) => (Object.keys(fields).some(isTime) ? retimed(fields) : fields)),
      ),
    },
  }
}

/** Quirks (legal but unusual behaviours) of how moments are written. */
export const timestampQuirks = quirkListOf({
  ...times('seconds', 'Times are in seconds since 1970.', same, (at) => Math.floor(at / 1_000)),
  ...times(
    'milliseconds',
    'Times are in milliseconds since 1970, under names in camel case.',
    camel,
    (at) => at,
  ),
  ...times('camel-case', 'Times have names in camel case.', camel, iso),
  ...times(
    'http-dates',
    'Times are HTTP dates, under other names.',
    (field) => `t_${field.replace(/_at$/, '')}`,
    (at) => new Date(at).toUTCString(),
  ),
  ...times('offset', 'Times have the offset +00:00.', same, (at) => iso(at).replace('Z', '+00:00')),
  'key-times-as-numbers': {
    title: 'last_used_at is a number.',
    allowed: '#key-last-used: the format is open.',
    group,
    rewrite: createFieldRewrite(
      'keys.*.last_used_at',
      (at) => (at ? Date.parse(String(at)) : at),
      'listKeys',
    ),
  },
})

/** A rewrite of every list in the answers of these operations. `change` gets the newest item first. */
const eachList = (change: (list: readonly unknown[], random: SeededRandom) => readonly unknown[]) =>
  createBodyRewrite(
    (body, random) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          Array.isArray(value) ? change(value, random) : value,
        ]),
      ),
    'listKeys',
    'listTasks',
    'listDocuments',
    'listNotifications',
    'listLandingPages',
    'listLeads',
    'listCampaigns',
    'getBilling',
  )

const capped = (id: string, title: string, most: number, share: number): QuirkTable => ({
  [id]: {
    title,
    allowed: '#list-contents: the length is open, above one.',
    group: 'list length',
    share,
    rewrite: eachList((list) => list.slice(0, most)),
  },
})

const order = { allowed: '#list-contents: the order is open.', group: 'list order', scope: 'answer' } as const

/** Quirks (legal but unusual behaviours) of the order and length of lists. */
export const listQuirks = quirkListOf({
  ...capped('lists-capped-at-40', 'Lists show 40 items.', 40, 0.4),
  ...capped('lists-capped', 'Lists show three items.', 3, 0.1),
  ...capped('lists-newest-only', 'Lists show the newest item alone.', 1, 0.1),
  'lists-oldest-first': {
    title: 'Lists begin with the oldest item.',
    ...order,
    share: 0.2,
    rewrite: eachList((list) => list.toReversed()),
  },
  'lists-shuffled': {
    title: 'Lists have no order.',
    ...order,
    share: 0.6,
    rewrite: eachList((list, random) => shuffle(random, list)),
  },
})

const hex = (random: SeededRandom) => random.word().toString(16).padStart(8, '0')

function newUuid(random: SeededRandom): string {
  const [a, b, c, d] = [hex(random), hex(random), hex(random), hex(random)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** An id of 15 digits: a number that JSON and JavaScript represent exactly. */
const newNumber = (random: SeededRandom) =>
  String(1e14 + Math.floor(random.fraction() * 9e13) * 10 + (random.word() % 10))

/** Fields that hold ids. */
const fields = ['id', 'taskId', 'runId', 'artifactId', 'task_id']

const form = { allowed: '#ids: the form is open.', group: 'ids', scope: 'ids', share: 0.2 } as const

/** Quirks (legal but unusual behaviours) of the form of ids. */
export const idQuirks = quirkListOf({
  'ids-uuids': {
    title: 'Ids are UUIDs.',
    ...form,
    plain: true,
    newId: newUuid,
  },
  'ids-numbers': {
    title: 'Ids are numbers.',
    ...form,
    plain: true,
    newId: newNumber,
    rewrite: createObjectRewrite((object) => {
      let copy: Record<string, unknown> | undefined
      for (const name of fields) {
        const value = object[name]
        if (typeof value !== 'string' || !/^[1-9]\d{14}$/.test(value)) continue
        copy ??= { ...object }
        copy[name] = Number(value)
      }
      return copy ?? object
    }),
  },
  'ids-odd': {
    title: 'Ids contain slashes, quotes, spaces and letters beyond ASCII.',
    ...form,
    newId: (random, kind) => `${kind}/é ?&%2F#+;"'${random.id('')}`,
  },
  'ids-long': {
    title: 'Ids have more than 200 characters.',
    ...form,
    newId: (random, kind) => `${kind}:${Array.from({ length: 12 }, () => random.id('').slice(1)).join('.')}`,
  },
})
