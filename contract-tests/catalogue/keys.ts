/** §2 API key, §4 Identity and keys, §5.5. */

import { field, idOf, items } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { askEverywhere, runUnknown, similarTo, workingBearer, workingKey } from '../evidence/key-use.ts'
import { deleteKey, entryIn, needOwnSecret, newKey } from '../evidence/keys.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import {
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  refusals,
  show,
} from '../harness/expect.ts'
import { observation, probe, type Requirement } from '../harness/requirement.ts'
import { formsOf, partsOf } from './secret-forms.ts'

/** Alone, since the deletion of one key must be seen to leave the others. */
const traits = { writes: true, alone: true, needs: ['session'] } as const

/** A new key, used at once, and the list of keys then. */
const keyStory = (t: TestContext) =>
  t.evidence('key', async () => {
    const key = await newKey(t)
    const working = await workingBearer(t, key)
    return { key, working, list: await t.session.call('listKeys') }
  })

/** The entry of that key in the list. What is wrong where there is none is KEY-LISTED's business. */
async function listedStory(t: TestContext) {
  const story = await keyStory(t)
  return { ...story, entry: need(entryIn(story.list, story.key), 'the created key in the list') }
}

export const keys: Requirement[] = [
  probe(
    'KEY-WORKS',
    'MUST',
    '§4, §5.5',
    'createKey',
    'A created key opens key routes of the same organization at once.',
    async (t) => {
      await twin(t, 'whoami')
      const { key, working } = await keyStory(t)
      if (!working)
        throw new Violation(
          'whoami answers the created key',
          'it is refused',
          key.exchange,
          t.recorder.exchanges.findLast(({ caller }) => caller === 'created key'),
        )
      expectSame(idOf(field(working.exchange.json, 'org', 'id')), await t.orgId(), 'org.id', working.exchange)
      for (const exchange of await askEverywhere(t, working.value)) expectAccepted(exchange)
    },
    traits,
  ),

  probe(
    'KEY-WHOLE',
    'MUST',
    '§5.3',
    'createKey',
    'A key that differs from a created one by a character, its length or its case is answered 401 unauthorized.',
    async (t) => {
      const { working } = await keyStory(t)
      const { value } = need(working, 'a created key that works')
      for (const similar of similarTo(value))
        expectRefused(await t.as('stranger', bearer(similar)).call('whoami'), refusals.unauthorized)
    },
    traits,
  ),

  probe(
    'KEY-UNIQUE',
    'MUST',
    '§2',
    'createKey',
    'Each created key has a secret of its own.',
    async (t) => {
      const [{ key: a }, b] = [await keyStory(t), await newKey(t)]
      expectThat(a.secret !== b.secret, 'two secrets', 'the same secret twice', b.exchange)
    },
    traits,
  ),

  probe(
    'KEY-ID-UNIQUE',
    'MUST',
    '§2',
    'listKeys',
    'Each listed key has an id of its own.',
    async (t) => {
      const names = [(await newKey(t)).name, (await newKey(t)).name]
      const list = needAccepted(await t.session.call('listKeys'))
      const [a, b] = names.map((name) =>
        need(
          idOf(field(entryIn(list, { id: undefined, name }), 'id')),
          'the id of a created key in the list',
        ),
      )
      expectThat(a !== b, 'two ids', `${a} twice`, list)
    },
    traits,
  ),

  probe(
    'KEY-LISTED',
    'MUST',
    '§4',
    'listKeys',
    'A created key is listed.',
    async (t) => {
      const { key, list } = await keyStory(t)
      expectThat(
        entryIn(list, key) !== undefined,
        `an entry for the key "${key.name}"`,
        `${items(list, 'keys').length} others`,
        list,
      )
    },
    traits,
  ),

  probe(
    'KEY-NAME',
    'MUST',
    '§2',
    'listKeys',
    'The list gives a key the name that it was created with.',
    async (t) => {
      const { key, list, entry } = await listedStory(t)
      expectSame(field(entry, 'name'), key.name, 'name', list)
    },
    traits,
  ),

  probe(
    'KEY-PREFIX',
    'MUST',
    '§2',
    'listKeys',
    'The prefix in the list is a leading part of the key, and not all of it.',
    async (t) => {
      const { key, list, entry } = await listedStory(t)
      const prefix = field(entry, 'prefix')
      const shown = need(typeof prefix === 'string' ? prefix : undefined, 'prefix').replace(/[.…*•]+$/, '')
      const wholes = [key.secret, ...stringsBut(key.key, 'prefix', 'name')]
      const leading = shown !== '' && wholes.some((whole) => whole.startsWith(shown)) && shown !== key.secret
      expectThat(leading, 'a leading part of the key', show(prefix), list)
    },
    traits,
  ),

  probe(
    'KEY-LAST-USED',
    'SHOULD',
    '§2',
    'listKeys',
    'last_used_at of a key that was used is set.',
    async (t) => {
      const { key, working, list: first } = await listedStory(t)
      need(working, 'a created key that works')
      let list = first
      const seen = await t.until(2_000, async () => {
        list = await t.session.call('listKeys')
        const used = field(need(entryIn(list, key), 'the created key in the list'), 'last_used_at')
        if (used === undefined) throw new NotExercised('the list does not tell last_used_at')
        return used ?? undefined
      })
      expectThat(seen !== undefined, 'a time', 'none', list)
    },
    traits,
  ),

  probe(
    'KEY-DELETED-DEAD',
    'MUST',
    '§5.3',
    'deleteKey',
    'A deleted key is answered 401 unauthorized at once.',
    async (t) => {
      const key = await newKey(t)
      const { value } = await workingKey(t, key)
      needAccepted(await deleteKey(t, key))
      needOwnSecret(t, key)
      expectRefused(await t.as('created key', bearer(value)).call('whoami'), refusals.unauthorized)
      for (const exchange of await askEverywhere(t, value)) expectRefused(exchange, refusals.unauthorized)
      expectRefused(await runUnknown(t, value), refusals.unauthorized)
    },
    traits,
  ),

  probe(
    'KEY-DELETED-UNLISTED',
    'SHOULD',
    '§4',
    'deleteKey',
    'A deleted key is no longer listed.',
    async (t) => {
      const key = await newKey(t)
      need(entryIn(await t.session.call('listKeys'), key), 'the created key in the list')
      needAccepted(await deleteKey(t, key))
      const list = await t.session.call('listKeys')
      const entry = entryIn(list, key)
      expectThat(entry === undefined, 'no entry for the deleted key', show(entry), list)
    },
    traits,
  ),

  probe(
    'KEY-DELETE-ONE',
    'MUST',
    '§4',
    'deleteKey',
    'Deleting a key deletes that one: another key goes on working.',
    async (t) => {
      const [older, gone, newer] = [await newKey(t), await newKey(t), await newKey(t)]
      const kept = [(await workingKey(t, older)).value, (await workingKey(t, newer)).value]
      needAccepted(await deleteKey(t, gone))
      needOwnSecret(t, gone)
      for (const value of kept) expectAccepted(await t.as('created key', bearer(value)).call('whoami'))
      expectAccepted(await t.call('whoami'))
    },
    traits,
  ),

  probe(
    'KEY-DELETE-OK',
    'MUST',
    '§4',
    'deleteKey',
    'Deleting a key answers ok: true.',
    async (t) => {
      const exchange = needAccepted(await deleteKey(t, await newKey(t)))
      const ok = field(exchange.json, 'ok')
      if (typeof ok === 'boolean') expectSame(ok, true, 'ok', exchange)
    },
    traits,
  ),

  observation(
    'KEY-SECRET-ONCE',
    'MUST',
    '§5.5',
    'createKey',
    'The secret of a key is in the answer that created it and in no other, nor all of it but a few characters.',
    ({ exchanges, secrets }) => {
      need(secrets[0], 'a created key')
      for (const { secret: value, shownBy } of secrets) {
        const leak = exchanges.find(
          (one) =>
            one.number !== shownBy &&
            !secrets.some((other) => other.secret === value && other.shownBy === one.number) &&
            [...formsOf(value), ...(one.operation === 'createKey' ? [] : partsOf(value, secrets))].some(
              (form) => [one.text, ...Object.values(one.headers)].some((text) => text.includes(form)),
            ),
        )
        if (leak)
          throw new Violation(
            'no answer but the first with the secret',
            `it is in an answer of ${leak.operation}`,
            leak,
          )
      }
    },
  ),
]

/** The strings in a key object, without some of its fields; or the key itself where it is a string. */
function stringsBut(key: unknown, ...left: string[]): string[] {
  if (typeof key === 'string') return [key]
  const fields = Object.entries(key ?? {}).filter(([name]) => !left.includes(name))
  return fields.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []))
}
