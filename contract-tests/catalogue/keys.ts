/** §2 API key, §4 Identity and keys, §5.5. */
import { twin } from '../evidence/calls.ts'
import { askEverywhere, runUnknown, similarTo, workingBearer, workingKey } from '../evidence/key-use.ts'
import { deleteKey, entryIn, needOwnSecret, newKey } from '../evidence/keys.ts'
import { field, idOf, items } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import { bearer, type Kit } from '../kit.ts'
import { observation, probe, type Requirement } from '../requirement.ts'
import {
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  refusals,
  show,
} from '../words.ts'
import { formsOf, partsOf } from './secret-forms.ts'

/** Alone, since the deletion of one key must be seen to leave the others. */
const traits = { writes: true, alone: true, needs: ['session'] } as const

/** A new key, used at once, and the list of keys then. */
const keyStory = (kit: Kit) =>
  kit.evidence('key', async () => {
    const key = await newKey(kit)
    const working = await workingBearer(kit, key)
    return { key, working, list: await kit.session.call('listKeys') }
  })

/** The entry of that key in the list. What is wrong where there is none is KEY-LISTED's business. */
async function listedStory(kit: Kit) {
  const story = await keyStory(kit)
  return { ...story, entry: need(entryIn(story.list, story.key), 'the created key in the list') }
}

export const keys: Requirement[] = [
  probe(
    'KEY-WORKS',
    'MUST',
    '§4, §5.5',
    'createKey',
    'A created key opens key routes of the same organization at once.',
    async (kit) => {
      await twin(kit, 'whoami')
      const { key, working } = await keyStory(kit)
      if (!working)
        throw new Violation(
          'whoami answers the created key',
          'it is refused',
          key.exchange,
          kit.recorder.exchanges.findLast(({ caller }) => caller === 'created key'),
        )
      expectSame(
        idOf(field(working.exchange.json, 'org', 'id')),
        await kit.orgId(),
        'org.id',
        working.exchange,
      )
      for (const exchange of await askEverywhere(kit, working.value)) expectAccepted(exchange)
    },
    traits,
  ),

  probe(
    'KEY-WHOLE',
    'MUST',
    '§5.3',
    'createKey',
    'A key that differs from a created one by a character, its length or its case is answered 401 unauthorized.',
    async (kit) => {
      const { working } = await keyStory(kit)
      const { value } = need(working, 'a created key that works')
      for (const similar of similarTo(value))
        expectRefused(await kit.as('stranger', bearer(similar)).call('whoami'), refusals.unauthorized)
    },
    traits,
  ),

  probe(
    'KEY-UNIQUE',
    'MUST',
    '§2',
    'createKey',
    'Each created key has a secret of its own.',
    async (kit) => {
      const [{ key: a }, b] = [await keyStory(kit), await newKey(kit)]
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
    async (kit) => {
      const names = [(await newKey(kit)).name, (await newKey(kit)).name]
      const list = needAccepted(await kit.session.call('listKeys'))
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
    async (kit) => {
      const { key, list } = await keyStory(kit)
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
    async (kit) => {
      const { key, list, entry } = await listedStory(kit)
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
    async (kit) => {
      const { key, list, entry } = await listedStory(kit)
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
    async (kit) => {
      const { key, working, list: first } = await listedStory(kit)
      need(working, 'a created key that works')
      let list = first
      const seen = await kit.until(2_000, async () => {
        list = await kit.session.call('listKeys')
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
    async (kit) => {
      const key = await newKey(kit)
      const { value } = await workingKey(kit, key)
      needAccepted(await deleteKey(kit, key))
      needOwnSecret(kit, key)
      expectRefused(await kit.as('created key', bearer(value)).call('whoami'), refusals.unauthorized)
      for (const exchange of await askEverywhere(kit, value)) expectRefused(exchange, refusals.unauthorized)
      expectRefused(await runUnknown(kit, value), refusals.unauthorized)
    },
    traits,
  ),

  probe(
    'KEY-DELETED-UNLISTED',
    'SHOULD',
    '§4',
    'deleteKey',
    'A deleted key is no longer listed.',
    async (kit) => {
      const key = await newKey(kit)
      need(entryIn(await kit.session.call('listKeys'), key), 'the created key in the list')
      needAccepted(await deleteKey(kit, key))
      const list = await kit.session.call('listKeys')
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
    async (kit) => {
      const [older, gone, newer] = [await newKey(kit), await newKey(kit), await newKey(kit)]
      const kept = [(await workingKey(kit, older)).value, (await workingKey(kit, newer)).value]
      needAccepted(await deleteKey(kit, gone))
      needOwnSecret(kit, gone)
      for (const value of kept) expectAccepted(await kit.as('created key', bearer(value)).call('whoami'))
      expectAccepted(await kit.call('whoami'))
    },
    traits,
  ),

  probe(
    'KEY-DELETE-OK',
    'MUST',
    '§4',
    'deleteKey',
    'Deleting a key answers ok: true.',
    async (kit) => {
      const exchange = needAccepted(await deleteKey(kit, await newKey(kit)))
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
