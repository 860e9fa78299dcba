/** §2 API key, §4 Identity and keys, §5.5. */
import { escapeRegExp } from '#contract/input/pattern.ts'
import { briefAnswer, type Exchange, hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import { NotApplicable, rethrowUnlessNotExercised, Violation } from '../client/check-errors.ts'
import { creditsInResponse } from '../fixtures/credits.ts'
import {
  assumeNewKeyOfOrganization,
  callOperationsWithKey,
  createKeysForDeletionTest,
  deleteMiddleKey,
  deleteOldestAndNewestKey,
  newKeyUsedAtOnce,
  pollDeletedUnusedKey,
  runUnknownTaskWithKey,
  similarInvalidKeys,
} from '../fixtures/key-use.ts'
import { assumeUniqueSecret, createKey, createLongNamedKey, findKeyInList } from '../fixtures/keys.ts'
import { pollListForKeys } from '../fixtures/late-effects.ts'
import { runForeignTask } from '../fixtures/organizations.ts'
import { assumePositiveControl } from '../fixtures/valid-requests.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent, expectThat, shortJson } from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { expectCreditsLikeWhoami } from './credits.ts'
import { newestInListCheckTraits } from './resource-kinds.ts'

/** A secret that texts are searched for. */
interface Search {
  /**
   * Strings of which every text that shows the secret contains one: its encodings, or what all its parts have in
   * common.
   */
  readonly hints: readonly string[]
  /** True if a text shows the secret as it is or encoded. */
  whole(text: string): boolean
  /** True if a text shows most of the secret as it is. */
  most(text: string): boolean
}

/** Prepares the search for a secret; parts that another secret of the run (`all`) shares prove nothing. */
function searchFor(secret: string, all: readonly { readonly secret: string }[]): Search {
  const encoded = encodingsOf(secret)
  const parts = partsOf(secret, all)
  return {
    hints: [...encoded, secret.slice(Math.floor(secret.length / 2), secret.length - guessable)],
    whole: (text) => [secret, ...encoded].some((form) => text.includes(form)),
    most: (text) => parts.some((part) => text.includes(part)),
  }
}

/** A pattern that finds any of some texts in one pass. */
const patternOfAny = (texts: readonly string[]): RegExp => new RegExp(texts.map(escapeRegExp).join('|'))

/** A secret as base64, as hex and for a URL, where that differs from the secret. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
    encodeURIComponent(secret),
  ]
  return forms.filter((form) => form !== secret)
}

/** Number of a secret's characters that can be guessed, and the shortest secret to which that applies. */
const guessable = 4
const long = 16

/** The secret without a few characters, and its second half, except parts that other secrets contain. */
function partsOf(secret: string, all: readonly { readonly secret: string }[]): string[] {
  if (secret.length < long) return []
  const most = secret.length - guessable
  const parts = Array.from({ length: guessable + 1 }, (_, from) => secret.slice(from, from + most))
  return [...parts, secret.slice(Math.floor(secret.length / 2))].filter(
    (part) => !all.some((other) => other.secret !== secret && other.secret.includes(part)),
  )
}

/** Traits of checks that run alone, since they compare what the deletion of one key does to others. */
const traits = { writes: true, exclusive: true, needs: ['session'] } as const

/** The first key with its entry in the list. */
async function listedKey(t: TestContext) {
  const used = await newKeyUsedAtOnce(t)
  return { ...used, entry: assumePresent(findKeyInList(used.list, used.key), 'the created key in the list') }
}

/** Requirements on API keys, from their creation to their deletion. */
export const keyRequirements: Requirement[] = [
  must('KEY-WORKS', '§4, §5.5', 'createKey', traits)
    .tests('organization-by-credential', 'key-secret', 'create-key', 'secret-once')
    .explains(
      'KEY-DELETE-ONE',
      'KEY-NAMESAKE',
      'ISOLATION-DELETE-KEY',
      'AUTH-REFUSED-DELETION',
      'UNAVAILABLE-UNARRANGED',
      'RUN-AGAIN',
    )
    .states('A created key works at once on the key routes of its organization.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      const { value } = await assumeNewKeyOfOrganization(t)
      const answers = await callOperationsWithKey(t, value)
      const run =
        (await runForeignTask(t).catch(rethrowUnlessNotExercised)) ?? (await runUnknownTaskWithKey(t, value))
      await createKeysForDeletionTest(t)
      return [...answers, run]
    }),

  must('KEY-CREDITS', '§1, §4', 'whoami', traits)
    .tests('organization-by-credential', 'whoami')
    .states('whoami reports the same credits to a created key as to another key of its organization.')
    .experiment('balance', async (t) => {
      // A repeated check reuses the key: answers to a key may be those to its first request.
      const { value } = await t.evidence('a key used before', () => assumeNewKeyOfOrganization(t), 'run')
      const asked = t.recorder.exchanges.filter(
        ({ operation, status }) => operation === 'whoami' && status === 200,
      )
      const isByKey = ({ requestHeaders }: Exchange) =>
        requestHeaders.authorization === bearerHeader(value).authorization
      const isByMain = ({ caller }: Exchange) => caller === t.main.caller
      const last = asked.findLastIndex(isByKey)
      const ends = [asked.slice(0, last).findLast(isByMain), asked.slice(last).find(isByMain)]
      const [told, ...around] = [asked[last], ...ends].map((one) =>
        one ? creditsInResponse(one) : Number.NaN,
      )
      const isBetween = Number(told) >= Math.min(...around) && Number(told) <= Math.max(...around)
      if (isBetween) return
      await expectCreditsLikeWhoami(t, () => t.as('created key', bearerHeader(value)).call('whoami'))
    }),

  must('KEY-WHOLE', '§5.3', 'createKey', { writes: true, exclusive: true })
    .tests('unauthorized-first')
    .states(
      'A key that differs from a valid key by one character, in length, in case or by a wildcard returns 401 unauthorized.',
    )
    .judged(async (t) => {
      const { apiKey, sessionCookie } = t.settings
      await assumePositiveControl(t, 'whoami')
      const value = sessionCookie
        ? assumePresent((await newKeyUsedAtOnce(t)).working, 'a created key that works').value
        : apiKey
      const answers: Exchange[] = []
      for (const similar of similarInvalidKeys(value))
        answers.push(await t.as('stranger', bearerHeader(similar)).call('whoami'))
      return answers
    }, 'exchange'),

  must('KEY-LISTED', '§4', 'listKeys', { ...traits, ...newestInListCheckTraits })
    .tests('list-contents', 'create-key', 'list-keys')
    .explains('LIST-PROMPT')
    .states('The list contains a created key.')
    .judged(async (t) => {
      await listedKey(t)
      const unused = await createLongNamedKey(t)
      assumePresent(findKeyInList(await pollListForKeys(t, [unused]), unused), 'the created key in the list')
    }),

  must('KEY-NAME', '§2', 'listKeys', traits)
    .tests('key-name', 'create-key')
    .states('The list shows a key with the name it was created with.')
    .judged(async (t) => {
      const { refused } = await listedKey(t)
      if (refused) throw new Violation('a success: a plain name was accepted', briefAnswer(refused), refused)
    }),

  must('KEY-CREATED-ONCE', '§4', 'createKey', traits)
    .tests('create-key')
    .states('createKey creates one key.')
    .judged(async (t) => [(await listedKey(t)).list]),

  must('KEY-PREFIX', '§2', 'listKeys', traits)
    .tests('key-prefix')
    .states('The listed prefix is the beginning of the key, not the whole key.')
    .experiment('comparison', async (t) => {
      const { key, list, entry } = await listedKey(t)
      const prefix = valueAtPath(entry, 'prefix')
      const shown = assumePresent(typeof prefix === 'string' ? prefix : undefined, 'prefix').replace(
        /[.…*•]+$/,
        '',
      )
      const wholes = [key.secret, ...stringsBut(key.key, 'prefix', 'name', 'id')]
      const leading = shown !== '' && wholes.some((whole) => whole.startsWith(shown)) && shown !== key.secret
      expectThat(leading, 'the beginning of the key, not all of it', shortJson(prefix), list)
    }),

  should('KEY-LAST-USED', '§2', 'listKeys', traits)
    .tests('key-last-used')
    .states(
      'The last_used_at field of a used key is set, and the use of one key does not change that of another.',
    )
    .judged(async (t) => {
      const { key, working } = await listedKey(t)
      const { value } = assumePresent(working, 'a created key that works')
      await t.until(t.settings.consistency + 1, async () => {
        const used = valueAtPath(findKeyInList(await t.session.call('listKeys'), key), 'last_used_at')
        return used === null || used === '' ? undefined : true
      })
      if (!t.run.exclusive) return undefined
      // The use of one key must not show at another, even where times are in whole seconds.
      await createKey(t)
      await t.session.call('listKeys')
      await t.target.sleep(1_100)
      await t.as('created key', bearerHeader(value)).call('whoami')
      return [await t.session.call('listKeys')]
    }),

  must('KEY-DELETED-DEAD', '§5.3', 'deleteKey', traits)
    .tests('delete-key', 'deleted-key')
    .explains('KEY-STAYS-DEAD', 'KEY-DELETED-UNLISTED')
    .states('A deleted key returns 401 unauthorized.')
    .judged(async (t) => {
      const unused = await pollDeletedUnusedKey(t)
      return [...(await deleteOldestAndNewestKey(t)), ...(unused ? [unused] : [])].flatMap(
        ({ answers }) => answers,
      )
    }),

  should('KEY-DELETED-UNLISTED', '§4', 'deleteKey', traits)
    .tests('delete-key')
    .states('A deleted key is no longer listed.')
    .judged(async (t) => {
      const [, last] = await deleteOldestAndNewestKey(t)
      return last?.list ? [last.list] : undefined
    }),

  must('KEY-DELETE-ONE', '§4', 'deleteKey', traits)
    .tests('key-id', 'delete-key')
    .states('Deleting a key leaves every other key valid.')
    .judged(async (t) => {
      const { deletedKey, deletion, answers } = await deleteMiddleKey(t)
      assumeAccepted(deletion)
      assumeUniqueSecret(t, deletedKey)
      return answers
    }),

  must('KEY-NAMESAKE', '§5.3', 'createKey', traits)
    .tests('deleted-key')
    .states('Creating a key leaves a key of the same name valid.')
    .judged(async (t) => {
      const { deletedKey, sameNameKey } = await createKeysForDeletionTest(t)
      if (!hasSuccessStatus(sameNameKey.answer))
        throw new NotApplicable('a second key of the same name is refused')
      assumeUniqueSecret(t, deletedKey.key)
      return [sameNameKey.after]
    }),

  must('KEY-DELETE-OK', '§4', 'deleteKey', traits)
    .tests('delete-key')
    .states('Deleting a key returns ok: true.')
    .judged(async (t) => void (await deleteOldestAndNewestKey(t))),

  must('KEY-SECRET-ONCE', '§5.5', 'createKey')
    .tests('key-secret', 'create-key', 'secret-once')
    .states(
      'The secret of a key appears only in the response that created it, and no other response reveals most of it.',
    )
    .seen(({ exchanges, secrets }) => {
      assumePresent(secrets[0], 'a created key')
      const searches = secrets.map((key) => ({ ...key, search: searchFor(key.secret, secrets) }))
      const hint = patternOfAny(searches.flatMap(({ search }) => search.hints))
      const answers = exchanges
        .map((one) => ({ one, text: [one.text, ...Object.values(one.headers)].join('\n') }))
        .filter(({ text }) => hint.test(text))
      for (const { secret: value, shownBy, search } of searches) {
        const leak = answers.find(
          ({ one, text }) =>
            one.number !== shownBy &&
            !isSentBy(one, value) &&
            (search.whole(text) || (one.operation !== 'createKey' && search.most(text))) &&
            !secrets.some((other) => other.secret === value && other.shownBy === one.number),
        )?.one
        if (leak)
          throw new Violation(
            'the secret only in the response that created the key',
            `it is in a response of ${leak.operation}`,
            leak,
          )
      }
    }),
]

/** True if a request sent a secret in its address or body, whose echo in an error tells its sender nothing. */
const isSentBy = ({ url, requestBody = '' }: Exchange, secret: string): boolean =>
  url.includes(secret) || requestBody.includes(secret)

/** The strings in a key object except some of its fields, or the key itself if it is a string. */
function stringsBut(key: unknown, ...left: string[]): string[] {
  if (typeof key === 'string') return [key]
  const fields = Object.entries(key ?? {}).filter(([name]) => !left.includes(name))
  return fields.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []))
}
