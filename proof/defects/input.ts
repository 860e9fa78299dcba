/** §4, §7: bodies, ids and queries that are accepted, altered or refused in the wrong way, and what they leave. */
import type { OperationId } from '#contract/operation.ts'
import { type BadBodyKind, refusedBodyKinds } from '#contract-tests/model/index.ts'
import { createKey } from '#mocks/core/organization.ts'
import { createTask } from '#mocks/core/tasks.ts'
import { type HandlerCall, viewDocument, viewTask } from '#mocks/handlers/views.ts'
import { isJsonObject, valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodePercent, sentPathId } from '#traffic/malformed-input.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { changeOrganizationsOnRefusal, createDocumentDirectly } from '../mutations/organizations.ts'
import { answerWith500, changeRequests, replaceAnswersWithError, rewriteSuccess } from '../mutations/reply.ts'
import { changeAnswer, replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Stands for a missing body. */
const nothing = Symbol('nothing')

/** True if the first field of an object has a value of a kind. */
function holds(body: unknown, is: (value: unknown) => boolean): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  return Object.values(body).slice(0, 1).some(is)
}

/** Bad bodies: what they are, and how to recognize them. */
const bodies: Readonly<Record<BadBodyKind, readonly [what: string, is: (body: unknown) => boolean]>> = {
  MALFORMED: ['a body that is not JSON', (body) => body === undefined],
  'NOT-OBJECT': ['a JSON body that is not an object', Array.isArray],
  MISSING: ['a body without its required field', (body) => JSON.stringify(body) === '{}'],
  CASE: [
    'its field under a name in capitals',
    (body) => Object.keys(Object(body)).some((name) => /^[A-Z]+$/.test(name)),
  ],
  EMPTY: ['an empty body', (body) => body === nothing],
  NULL: ['null in place of a text', (body) => holds(body, (value) => value === null)],
  SCALAR: [
    'a number or a boolean in place of a text',
    (body) => holds(body, (value) => typeof value === 'number' || typeof value === 'boolean'),
  ],
  'WRONG-TYPE': [
    'an object in place of a text',
    (body) => holds(body, (value) => typeof value === 'object' && value !== null),
  ],
}

/** Replaces some bodies of JSON before they are read; undefined: as it was sent. */
const altering = (operation: OperationId, change: (body: string) => string | undefined) =>
  changeRequests(({ headers }, body) => {
    const isOther = body.byteLength > 0 && headers.get('content-type')?.includes('json') === false
    return isOther ? undefined : change(new TextDecoder().decode(body))
  }, operation)

const accepted = refusedBodyKinds.flatMap(([operation, field, names]) =>
  defectForEach<BadBodyKind>(names, (name) => {
    const [what, isBad] = bodies[name]
    const valid = JSON.stringify(field === '' ? {} : { [field]: 'Untitled' })
    return [
      `INPUT-${name}-${operation} input-${name.toLowerCase()}-${operation}: ${operation} accepts ${what}.`,
      altering(operation, (body) => (isBad(body === '' ? nothing : parseJson(body)) ? valid : undefined)),
    ]
  }),
)

/** Bodies that lenient parsers take for JSON, and what they make of them. */
const lenient = defectsOfTable({
  'INPUT-MALFORMED-createDocument input-trailing: Whatever follows the object in a body is ignored.': () =>
    altering('createDocument', (body) => /^\{[^{}]*\}(?=.)/.exec(body)?.[0]),
  'INPUT-MALFORMED-createKey input-comma: A comma may follow the last field of a body.': () =>
    altering('createKey', (body) => body.replace(/,(?=\}$)/, '')),
})

/**
 * Odd contents of a JSON text, and how a body of the suite shows each; a byte that is not UTF-8 is decoded to U+FFFD.
 */
const oddTexts = [
  ['bytes', 'bytes that are not UTF-8', /\ufffd/g],
  ['surrogate', 'lone surrogates', /\\ud800/g],
  ['nul', 'NUL', /\\u0000/g],
] as const

/** Operations that create something, and how it is read. */
const creating = [
  ['createTask', 'getTask'],
  ['createDocument', 'getDocument'],
] as const

const texts = creating.flatMap(([operation]) => [
  ...defectForEach(oddTexts, ([name, what, pattern]) => [
    `ODD-TEXT-${operation} odd-text-${name}-${operation}: ${operation} fails with 500 for a text with ${what}.`,
    answerWith500((_, body) => body.search(pattern) >= 0, operation),
  ]),
  ...defectForEach(oddTexts, ([name, what, pattern]) => [
    `ODD-TEXT-KEPT-${operation} odd-text-altered-${name}-${operation}: ${operation} replaces ${what} in a text.`,
    altering(operation, (body) =>
      body.search(pattern) < 0 ? undefined : body.replaceAll(pattern, '\ufffd'),
    ),
  ]),
])

/** Fails over the answers that hold a lone surrogate. */
const unreadable = (operation: OperationId) =>
  replaceAnswersWithError(
    ({ status, body }) => status < 300 && JSON.stringify(body).includes('\\ud800'),
    [500, 'internal_error'],
    operation,
  )

/** True if a body is nested deeper than 1,000 levels. */
const isDeep = (body: string) => body.includes('['.repeat(1_000))

/** The requirement of each operation about ids that are well-formed. */
const oddIds = {
  getTask: 'TASK-ODD-ID',
  getDocument: 'DOC-ODD-ID',
  runTask: 'RUN-ODD-ID',
  readNotification: 'NOTIFICATION-ODD-ID',
  deleteKey: 'KEY-ODD-ID',
} as const

const byId = Object.keys(oddIds) as (keyof typeof oddIds)[]

/** Ids that a service fails over, as they stand in the path: name, what they are, recognition, operations, well-formed. */
const ids: readonly (readonly [string, string, (sent: string) => boolean, typeof byId, boolean?])[] = [
  [
    'odd',
    'ids with unusual characters',
    (sent) => !/^[\w-]{1,200}$/.test(sent) && /^[^\0\n/%]+$/.test(decodePercent(sent) ?? '%'),
    byId,
    true,
  ],
  ['long', 'ids of more than 255 characters', (sent) => sent.length > 255, byId, true],
  [
    'huge',
    'ids that are numbers beyond 64 bits',
    (sent) => /^\d{1,30}$/.test(sent) && BigInt(sent) >= 2n ** 63n,
    byId,
    true,
  ],
  [
    'inexact',
    'ids that are numbers which no double holds',
    (sent) => /^\d{16,18}$/.test(sent) && !Number.isSafeInteger(Number(sent)),
    ['getTask'],
    true,
  ],
  ['nul', 'ids with NUL', (sent) => sent.includes('%00'), byId],
  ['undecodable', 'ids that cannot be decoded', (sent) => decodePercent(sent) === undefined, byId],
  ['percent', 'a percent sign that encodes nothing', (sent) => sent === '%', ['getTask']],
  ['slash', 'ids with an encoded slash', (sent) => /%2f/i.test(sent), ['getTask']],
]

const failingIds = ids.flatMap(([name, what, is, operations, isWellFormed = false]) =>
  defectForEach(operations, (operation) => [
    `${isWellFormed ? oddIds[operation] : `MALFORMED-ID-${operation}`} ${name}-id-${operation}: ${operation} fails with 500 for ${what}.`,
    answerWith500((request) => is(sentPathId(operation, request.url) ?? ''), operation),
  ]),
)

/** Finds something under the names that every object of JavaScript has. */
const builtIn = (operation: 'getTask' | 'getDocument' | 'runTask') =>
  replaceHandler(operation, (call: HandlerCall<typeof operation>, usual) => {
    const { org } = call
    const [task] = org.tasks.newest(1)
    const [document] = org.documents.newest(1)
    if (call.id !== 'constructor' || !task || !document) return usual(call)
    if (operation === 'getDocument') return { item: viewDocument(document) }
    if (operation === 'getTask') return { task: viewTask(task), finished: false }
    return { ok: true, taskId: task.id, runId: org.newId('run'), status: 'pending', finished: false }
  })

/** Finds a task or a document by its id with more characters after it. */
const byBeginning = (operation: 'getTask' | 'getDocument' | 'runTask') =>
  replaceHandler(operation, (call: HandlerCall<typeof operation>, usual) => {
    const rows = operation === 'getDocument' ? call.org.documents : call.org.tasks
    const isLonger = (id: string) => call.id.startsWith(id) && /^[\w-]+$/.test(call.id.slice(id.length))
    const meant = rows.all().find(({ id }) => isLonger(id))
    return usual(meant ? { ...call, id: meant.id } : call)
  })

/** Finds the task that was read last under an id that cannot be decoded. */
function ignoringUndecodable(): Mutation {
  /** The last task that was read, by the credential that read it. */
  const known = new Map<string, string>()
  return {
    async middleware({ request, operation }, next) {
      const id = operation === 'getTask' ? (sentPathId(operation, request.url) ?? '') : ''
      const credential = request.headers.get('authorization') ?? ''
      const last = known.get(credential)
      if (last && decodePercent(id) === undefined)
        return next(new Request(request.url.replace(id, last), request))
      const response = await next(request)
      if (response.ok && id !== '') known.set(credential, id)
      return response
    },
  }
}

/** Creates a document with a title where the creation of one is refused. */
const leavingDocument = (title: string) =>
  changeOrganizationsOnRefusal('createDocument', [400, 422], (org, now) =>
    createDocumentDirectly(org, title, now),
  )

/** Stores a document under its title although it refuses one of its optional fields. */
const leavingBefore = (name: string) =>
  changeOrganizationsOnRefusal('createDocument', [400, 422], (org, now, { body }) => {
    const { title, ...options } = Object(parseJson(body))
    if (typeof title === 'string' && typeof options[name] === 'object')
      createDocumentDirectly(org, title, now)
  })

/** Deliberate defects of how bodies, ids and queries are checked and stored. */
export const inputDefects: readonly Defect[] = [
  ...accepted,
  ...lenient,
  ...texts,
  ...failingIds,
  ...defectForEach(['getTask', 'getDocument', 'runTask'], (operation) => [
    `${oddIds[operation]} built-in-id-${operation}: ${operation} finds something under the id constructor.`,
    builtIn(operation),
  ]),
  ...defectForEach(['getTask', 'getDocument', 'runTask'], (operation) => [
    `${oddIds[operation]} longer-id-${operation}: ${operation} finds something by its id with letters after it.`,
    byBeginning(operation),
  ]),
  ...defectForEach(['content_md', 'summary', 'folder_id'], (name) => [
    `LEFTOVER-createDocument leftover-before-${name}: createDocument stores the document before it refuses a wrong ${name}.`,
    leavingBefore(name),
  ]),
  ...defectForEach(creating, ([operation, reading]) => [
    `ODD-TEXT-${operation} odd-text-unreadable-${operation}: ${operation} accepts lone surrogates, and what it creates cannot be read.`,
    unreadable(reading),
  ]),
  ...defectForEach(creating, ([operation]) => [
    `DEEP-BODY-${operation} deep-body-${operation}: ${operation} fails with 500 for a body that is nested deeper than 1,000 levels.`,
    answerWith500((_, body) => isDeep(body), operation),
  ]),
  ...defectForEach(['listDocuments', 'getInsights'], (operation) => [
    `QUERY-TWICE-${operation} query-twice-${operation}: ${operation} fails with 500 for a parameter that is sent twice.`,
    answerWith500(({ url }) => {
      const names = [...new URL(url).searchParams.keys()]
      return new Set(names).size < names.length
    }, operation),
  ]),
  ...defectsOfTable({
    'ANSWER-NO-500 query-nested: listDocuments fails with 500 for a parameter that is both a text and a list.':
      () => answerWith500(({ url }) => new URL(url).searchParams.has('folder_id[]'), 'listDocuments'),
    'QUERY-MALFORMED-listDocuments query-malformed: listDocuments fails with 500 for a query that it cannot decode.':
      () => answerWith500(({ url }) => decodePercent(new URL(url).search) === undefined, 'listDocuments'),
    'QUERY-MALFORMED-listDocuments query-nul: listDocuments fails with 500 for a folder_id with NUL.': () =>
      answerWith500(({ url }) => url.includes('%00'), 'listDocuments'),
    'TASK-ODD-ID ANSWER-JSON huge-id-page: getTask answers numbers beyond 64 bits with 500 and a page.':
      () => ({
        async middleware({ request, operation }, next) {
          const isHuge = operation === 'getTask' && /\/\d{20,}$/.test(new URL(request.url).pathname)
          const headers = { 'content-type': 'text/html' }
          return isHuge
            ? new Response('<h1>Server Error (500)</h1>', { status: 500, headers })
            : next(request)
        },
      }),
    'MALFORMED-ID-getTask malformed-id-found: getTask ignores what it cannot decode and finds a task.':
      ignoringUndecodable,
    'MALFORMED-ID-getTask task-id-decoded-twice: getTask decodes an id twice.': () =>
      replaceHandler('getTask', (call, usual) => usual({ ...call, id: decodePercent(call.id) ?? call.id })),
    'MALFORMED-ID-getDocument doc-id-first-line: getDocument looks at the first line of an id alone.': () =>
      replaceHandler('getDocument', (call, usual) => usual({ ...call, id: call.id.split('\n', 1).join() })),
    'TASK-ODD-ID task-id-before-hyphen: getTask ignores a hyphen in an id and what follows it.': () =>
      replaceHandler('getTask', (call, usual) => usual({ ...call, id: call.id.split('-', 1).join() })),
    'DEEP-BODY-createTask deep-field-createTask: createTask fails with 500 for a deeply nested field that it does not know.':
      () => answerWith500((_, body) => body.startsWith('{') && isDeep(body), 'createTask'),
    'ODD-TEXT-createDocument odd-summary: createDocument fails with 500 for a summary with NUL.': () =>
      answerWith500((_, body) => /"summary":"[^"]*\\u0000/.test(body), 'createDocument'),
    'ODD-FIELDS-createDocument odd-kind: createDocument fails with 500 for an object as kind.': () =>
      answerWith500((_, body) => body.includes('"kind":{'), 'createDocument'),
    'ODD-FIELDS-createDocument odd-folder: createDocument fails with 500 for a folder_id with NUL.': () =>
      answerWith500((_, body) => /"folder_id":"[^"]*\\u0000/.test(body), 'createDocument'),
    ...Object.fromEntries(
      (['createTask', 'createDocument'] as const).map((operation) => [
        `ODD-FIELDS-${operation} odd-number-${operation}: ${operation} fails with 500 for a number beyond 64 bits in a field that it does not know.`,
        () => answerWith500((_, body) => body.includes('1e400'), operation),
      ]),
    ),
    'TASK-NEW-UNFINISHED task-status-sent: createTask takes the status of a task from the request.': () => {
      const born = new Set<unknown>()
      return combineMutations(
        rewriteSuccess(({ body }, { sent }) => {
          if (valueAtPath(parseJson(sent), 'status') === 'completed')
            born.add(valueAtPath(body, 'task', 'id'))
        }, 'createTask'),
        changeAnswer('getTask', ({ task }) =>
          born.has(task.id) ? { finished: true, task: { ...task, status: 'completed' } } : undefined,
        ),
        changeAnswer('listTasks', ({ items }) => ({
          items: items.map((item) => (born.has(item.id) ? { ...item, status: 'completed' } : item)),
        })),
      )
    },
    'DOC-UNIQUE document-id-sent: createDocument overwrites the document whose id is sent.': () =>
      rewriteSuccess(({ body }, { sent }) => {
        const id = valueAtPath(parseJson(sent), 'id')
        const item = valueAtPath(body, 'item')
        if (id !== undefined && isJsonObject(item)) Object.assign(item, { id })
      }, 'createDocument'),
    'INPUT-* DEEP-BODY-* ODD-TEXT-createTask ODD-TEXT-createDocument input-fails: Bad input is answered 500.':
      () =>
        replaceAnswersWithError(
          [400, 422],
          [500, 'internal_error'],
          ...refusedBodyKinds.map(([operation]) => operation),
        ),
    'INPUT-*-createTask INPUT-*-createDocument INPUT-*-createKey DEEP-BODY-* input-not-found: Bad input is answered 404 not_found.':
      () =>
        replaceAnswersWithError([400, 422], [404, 'not_found'], 'createTask', 'createDocument', 'createKey'),
    'LEFTOVER-createTask leftover-createTask: createTask creates a task without a text although it refuses the request.':
      () => changeOrganizationsOnRefusal('createTask', [400, 422], (org, now) => createTask(org, '', now)),
    'LEFTOVER-createTask refused-task-costs: A task that is refused as bad input costs a credit.': () =>
      changeOrganizationsOnRefusal('createTask', [400, 422], (org, now) => org.ledger.topUp(-1, now)),
    'LEFTOVER-createDocument leftover-createDocument: createDocument creates a document without a title although it refuses the request.':
      () => leavingDocument(''),
    'LEFTOVER-createDocument leftover-untitled: createDocument creates an untitled document although it refuses the request.':
      () => leavingDocument('Untitled'),
    'LEFTOVER-createKey leftover-createKey: createKey creates a key although it refuses the request.': () =>
      changeOrganizationsOnRefusal('createKey', [400, 422], (org, now) =>
        createKey(org, 'untitled', org.newSecret(), now),
      ),
  }),
]
