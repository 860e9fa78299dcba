/** Items that came between two lists: more is known of them than of those that the first one may have left out. */
import { expect, test } from 'vitest'
import { judgeHistory, type ModelEvent, modelRules } from './index.ts'
import { answeredRequest, buildHistory, type GivenRequest } from './testing/history.ts'

/** The answers in a history are abridged, so that rules on an answer by itself are left out. */
const rules = modelRules.filter(
  ({ neverConsequence, id }) => !neverConsequence && id !== 'admitted-createTask',
)

const objections = (history: readonly ModelEvent[], consistency = 0) =>
  judgeHistory(history, { consistency, rules }).violations.map(({ rule }) => rule)

const rulesBroken = (given: readonly GivenRequest[]) => objections(buildHistory(given))

const plan = (id: string) => ({ id, title: 'Plan' })
const inFolder = { query: { folder_id: 'f1' } }
const folder = (...items: object[]) => answeredRequest('listDocuments', { items }, inFolder)
const filed = (id: string) =>
  answeredRequest('createDocument', { item: plan(id) }, { body: { title: 'Plan', folder_id: 'f1' } })

test.each<[string, readonly GivenRequest[], readonly string[]]>([
  ['came with its twin', [folder(), filed('d1'), folder(plan('d1'), plan('d2'))], ['createDocument-once']],
  ['was there before', [folder(plan('d2')), filed('d1'), folder(plan('d1'), plan('d2'))], []],
  ['may have been there before', [filed('d1'), folder(plan('d1'), plan('d2'))], []],
  [
    'may be that of a request of somebody unknown',
    [...[folder(), filed('d1'), { ...filed('d2'), tenant: null }], folder(plan('d1'), plan('d2'))],
    [],
  ],
])('a document with the short title of another one that %s', (_, given, expected) => {
  expect(rulesBroken(given)).toEqual(expected)
})

/** The history with every answered request from a place on sent and answered later by some ms. */
const later = (given: readonly GivenRequest[], from: number, ms: number) =>
  buildHistory(given).map((one, i) => {
    if (i < from || one.kind !== 'request' || !one.answer) return one
    const at = <M extends { readonly ms: number }>(moment: M) => ({ ...moment, ms: moment.ms + ms })
    return { ...one, sent: at(one.sent), answer: { ...one.answer, received: at(one.answer.received) } }
  })

test.each<[string, readonly object[], readonly string[]]>([
  ['nothing', [], ['filed-document-listed']],
  ['the newer one', [plan('d2')], []],
  ['one of somebody else', [plan('d9')], []],
])('a list in which a document is late shows, beside one that was created just before, %s', (_, shown, expected) => {
  const history = later([filed('d1'), filed('d2'), folder(...shown)], 1, 100)
  expect(objections(history, 10)).toEqual(expected)
})

const made = (id: string) =>
  answeredRequest('createKey', { key: { id, name: 'CI' }, secret: id }, { body: { name: 'CI' } })
const keys = (...ids: string[]) =>
  answeredRequest('listKeys', { keys: ids.map((id) => ({ id, name: 'CI', last_used_at: null })) })
const deleted = (id: string) => answeredRequest('deleteKey', { ok: true }, { resource: id })

test.each<[string, readonly GivenRequest[], readonly string[]]>([
  [
    'is new beside one that was deleted',
    [made('k1'), keys('k1'), made('k2'), deleted('k2'), keys('k1', 'k3')],
    ['key-created-once'],
  ],
  ['was listed before', [made('k1'), keys('k1', 'k3'), made('k2'), deleted('k2'), keys('k1', 'k3')], []],
  ['may be another id of a key that is not listed', [keys(), made('k1'), keys('k3')], []],
])('a key with the name of a created one that %s', (_, given, expected) => {
  expect(rulesBroken(given)).toEqual(expected)
})

const taskList = (...items: object[]) => answeredRequest('listTasks', { items })
const refused = (body: object, status = 400) =>
  answeredRequest('createTask', { error: 'invalid_request', message: 'No.' }, { body, status })
const write = { id: 't1', text: 'Write a letter.', description: null, status: 'new' }

test.each<[string, readonly GivenRequest[], readonly string[]]>([
  ['a new one', [taskList(), refused({ text: write.text }), taskList(write)], ['leftover-createTask']],
  ['one that was there before', [taskList(write), refused({ text: write.text }, 409), taskList(write)], []],
  ['one that may have been there before', [refused({ text: write.text }), taskList(write)], []],
  [
    'one that was asked for again',
    [
      taskList(),
      refused({ text: write.text }),
      answeredRequest('createTask', { task: write }, { body: { text: write.text } }),
      taskList(write),
    ],
    [],
  ],
])('the text of a creation that was refused is that of %s', (_, given, expected) => {
  expect(rulesBroken(given)).toEqual(expected)
})
