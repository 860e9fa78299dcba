/** Values of fields that the specification leaves open (§2). */
import type { Quirk } from './quirk.ts'
import { inOrder, rewriteField } from './rewrites.ts'

const toCents = (credits: unknown) => credits && Math.round(Number(credits) * 100) / 100
const describe = (description: unknown) => description ?? 'As requested.'

export const values: readonly Quirk[] = [
  {
    id: 'plan-object',
    title: 'plan is an object.',
    allowed: '#org-plan: a string or an object.',
    share: 0.5,
    rewrite: rewriteField('plan', (code) => ({ code, seats: null }), 'whoami', 'getBilling'),
  },
  {
    id: 'org-name-null',
    title: 'org.name is null.',
    allowed: '#org-name: null is a value.',
    share: 0.5,
    rewrite: rewriteField('org.name', () => null, 'whoami'),
  },
  {
    id: 'task-described',
    title: 'A task has a description.',
    allowed: '#task-fields: a description may be present or null.',
    share: 0.5,
    rewrite: inOrder(
      rewriteField('task.description', describe, 'createTask', 'getTask'),
      rewriteField('items.*.description', describe, 'listTasks'),
    ),
  },
  {
    id: 'key-string',
    title: 'key of a created key is its id, as a string.',
    allowed: '#key-value: a string or an object.',
    group: 'key form',
    share: 0.15,
    rewrite: rewriteField('key', (key) => String(Reflect.get(Object(key), 'id')), 'createKey'),
  },
  {
    id: 'key-masked',
    title: 'key of a created key is its prefix and an ellipsis.',
    allowed: '#key-value: a string or an object.',
    group: 'key form',
    share: 0.15,
    rewrite: rewriteField('key', (key) => `${Reflect.get(Object(key), 'prefix')}…`, 'createKey'),
  },
  {
    id: 'key-prefix-masked',
    title: 'The prefix of a key ends in an ellipsis.',
    allowed: '#key-prefix: dots may end it.',
    share: 0.3,
    rewrite: rewriteField('keys.*.prefix', (prefix) => `${prefix}…`, 'listKeys'),
  },
  {
    id: 'credits-fractions',
    title: 'Balances have fractions, and are written with two decimals.',
    allowed: '#org-credits: fractions are allowed.',
    group: 'credits',
    share: 1 / 3,
    looseCredits: 0.1,
    rewrite: rewriteField('credits', toCents, 'whoami', 'listTasks', 'createTask', 'getBilling'),
  },
  {
    id: 'credits-halves',
    title: 'Balances end in half a credit.',
    allowed: '#org-credits: fractions are allowed.',
    group: 'credits',
    share: 1 / 3,
    looseCredits: 0.5,
  },
  {
    id: 'prospects-null',
    title: 'Fields of prospects are null.',
    allowed: '#prospect-fields: null is a value.',
    group: 'prospects',
    share: 0.3,
    rewrite: inOrder(
      ...['name', 'email', 'phone', 'createdTime', 'campaign'].map((field) =>
        rewriteField(`prospects.*.${field}`, () => null, 'listLeads'),
      ),
    ),
  },
  {
    id: 'wallet-plain',
    title: 'Wallet and billing consist of numbers and null.',
    allowed: '#opaque-objects: the type of each is open.',
    share: 0.3,
    rewrite: inOrder(
      rewriteField('balance', () => 0, 'getWallet'),
      rewriteField('funding', () => null, 'getWallet'),
      rewriteField('autoRecharge', () => 0, 'getWallet'),
      rewriteField('tiers', () => null, 'getBilling'),
      rewriteField('packs', () => 0, 'getBilling'),
    ),
  },
]
