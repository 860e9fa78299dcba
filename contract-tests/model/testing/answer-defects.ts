/** For each rule about answers by themselves, whatever came before, a defect that it finds. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { errorCodesByStatus } from '../rules/answers.ts'
import { refusedBodyKinds } from '../rules/refusals.ts'
import { answeredRequest, type GivenProviderState, type GivenRequest } from './history.ts'

type History = readonly (GivenRequest | GivenProviderState)[]
/** Short histories that a rule must object to. Their names are `rule: defect`. */
export type HistoriesByDefect = Readonly<Record<string, History>>

/** Builds a table of histories with one row for each kind, such as for each operation. */
export const buildHistoriesPerKind = <const Kind>(
  kinds: readonly Kind[],
  row: (kind: Kind) => readonly [name: string, ...History],
): HistoriesByDefect => Object.fromEntries(kinds.map(row).map(([name, ...history]) => [name, history]))

/** Parts of a valid request of an operation. */
function valid(operation: OperationId): Pick<GivenRequest, 'resource' | 'body'> {
  const { path, body } = routeOf(operation)
  const names = Object.keys(body?.shape ?? {}).slice(0, 1)
  return {
    ...(path.includes(':id') ? { resource: 'x1' } : {}),
    ...(body ? { body: Object.fromEntries(names.map((name) => [name, 'Text'])) } : {}),
  }
}

const unauthorized = (operation: OperationId) =>
  (['missing', 'invalid', routeOf(operation).auth === 'key' ? 'session' : 'key'] as const).map(
    (credential) => ({ operation, credential }),
  )

const badBodies = ([operation, field, names]: (typeof refusedBodyKinds)[number]) =>
  names.map((name) => ({ operation, name, body: badBody(name, field) }))

/** Unusual requests, by the rule about them. */
const unusual: readonly (readonly [rule: string, OperationId, Partial<GivenRequest>])[] = [
  ['odd-accept-whoami', 'whoami', { oddity: 'media-type' }],
  ['input-type-createtask', 'createTask', { oddity: 'media-type', content: 'not-json' }],
  ['odd-type-createtask', 'createTask', { oddity: 'media-type', body: { text: 'A' } }],
  ['deep-body-createtask', 'createTask', { oddity: 'excessive-body' }],
  ['odd-text-createtask', 'createTask', { oddity: 'odd-text', body: { text: 'A\0' } }],
  ['deep-body-createdocument', 'createDocument', { oddity: 'excessive-body' }],
  ['odd-text-createdocument', 'createDocument', { oddity: 'odd-text', body: { title: 'A\0' } }],
  ['odd-fields-createtask', 'createTask', { body: { text: 'A', status: 'completed' } }],
  ['odd-fields-createdocument', 'createDocument', { body: { title: 'A', kind: {} } }],
  ['input-wrong-content-createdocument', 'createDocument', { body: { title: 'A', content_md: {} } }],
  ['doc-fields-accepted', 'createDocument', { body: { title: 'A', content_md: 'B', summary: 'C' } }],
  ['query-twice-listdocuments', 'listDocuments', { oddity: 'repeated-parameter' }],
  ['query-twice-getinsights', 'getInsights', { oddity: 'repeated-parameter' }],
  ['query-malformed-listdocuments', 'listDocuments', { oddity: 'undecodable-query' }],
  ['insights-range', 'getInsights', { query: { range: 'all' } }],
  ['odd-fields-createlandingpage', 'createLandingPage', { body: { spec: {} } }],
]

/** A creation with an odd text, and what is read of it. */
const oddText = (
  create: 'createTask' | 'createDocument',
  member: string,
  field: string,
  read: GivenRequest,
) => [
  answeredRequest(
    create,
    { [member]: { id: 'x1' } },
    { body: { [field]: 'A\0' }, tenant: null, oddity: 'odd-text' },
  ),
  { ...read, resource: 'x1' },
]

/** Requests without a key that have another error too. */
const withOtherErrors: readonly (readonly [OperationId, Partial<GivenRequest>])[] = [
  ['whoami', { negotiatesContent: true }],
  ['getTask', { resource: 'x9', invented: 'alike' }],
  ['getDocument', { resource: 'x9', invented: 'alike' }],
  ['createTask', { body: {} }],
  ['createDocument', { content: 'not-json' }],
]

/** Credentials in a wrong form or place, by the rule about them. */
const misused = [
  ['refused-altered', 'altered'],
  ['refused-public', 'public'],
  ['refused-malformed', 'malformed'],
  ['refused-not-ascii', 'not-ascii'],
  ['refused-scheme', 'scheme'],
  ['refused-session-as-key', 'session-as-key'],
  ['no-access-by-header', 'header'],
  ['no-access-by-query', 'query'],
] as const

const byId = ['getTask', 'getDocument', 'runTask', 'readNotification', 'deleteKey'] as const

const readings = [
  ['createTask', 'getTask', 'task', 'text'],
  ['createDocument', 'getDocument', 'item', 'content_md'],
] as const

/** Histories of one or two requests whose answers a rule must object to, by `rule: defect`. */
export const answerDefectHistories: HistoriesByDefect = {
  ...buildHistoriesPerKind(operationIds, (operation) => [
    `admitted-${operation}: a valid ${operation} is answered 500`,
    answeredRequest(operation, { error: 'internal_error' }, { ...valid(operation), status: 500 }),
  ]),
  'unavailable-unarranged: a valid request is answered 503 although no outage was arranged': [
    answeredRequest('whoami', { error: 'unavailable' }, { status: 503 }),
  ],
  ...buildHistoriesPerKind(operationIds.flatMap(unauthorized), ({ operation, credential }) => [
    `unauthorized-${credential}-${operation}: ${operation} is answered without a credential that it takes`,
    answeredRequest(operation, {}, { ...valid(operation), tenant: null, credential }),
  ]),
  ...buildHistoriesPerKind(refusedBodyKinds.flatMap(badBodies), ({ operation, name, body }) => [
    `bad-input-${name.toLowerCase()}-${operation}: ${operation} with bad input is answered 500`,
    answeredRequest(operation, { error: 'internal_error' }, { ...body, status: 500 }),
  ]),
  ...buildHistoriesPerKind(unusual, ([rule, operation, request]) => [
    `${rule}: an unusual request is answered 500`,
    answeredRequest(
      operation,
      { error: 'internal_error' },
      { ...request, status: 500, tenant: request.oddity ? null : 'main' },
    ),
  ]),
  ...buildHistoriesPerKind(withOtherErrors, ([operation, request]) => [
    `unauthorized-first-${operation}: another error is found before the missing key`,
    answeredRequest(
      operation,
      { error: 'invalid_request', message: 'No.' },
      { ...request, tenant: null, credential: 'missing', status: 400 },
    ),
  ]),
  ...buildHistoriesPerKind(misused, ([rule, credential]) => [
    `${rule}: a misused credential has access`,
    answeredRequest('whoami', { org: { id: 'o1' } }),
    answeredRequest('whoami', { org: { id: 'o1' } }, { tenant: null, credential }),
  ]),
  'refused-key-as-session: a key is taken for a session': [
    answeredRequest('listKeys', { keys: [] }, { tenant: null, credential: 'key-as-session' }),
  ],
  'scheme-case: a key is refused for the case of its scheme': [
    toNobody('whoami', { error: 'unauthorized', message: 'No.' }, 401, 'scheme-case'),
  ],
  ...buildHistoriesPerKind(byId, (operation) => [
    `odd-id-${operation}: an unusual id is answered 500`,
    answeredRequest(
      operation,
      { error: 'internal_error' },
      { resource: 'constructor', invented: 'odd', status: 500 },
    ),
  ]),
  ...buildHistoriesPerKind(byId, (operation) => [
    `malformed-id-${operation}: an id that cannot be decoded is answered 500`,
    answeredRequest(
      operation,
      { error: 'internal_error' },
      { tenant: null, oddity: 'malformed-id', status: 500 },
    ),
  ]),
  ...buildHistoriesPerKind(byId.slice(0, -1), (operation) => [
    `unknown-id-${operation}: an id that nobody has issued is answered 500`,
    answeredRequest(
      operation,
      { error: 'internal_error' },
      { resource: 'x9', invented: 'alike', status: 500 },
    ),
  ]),
  ...buildHistoriesPerKind(readings, ([create, read, member, field]) => [
    `odd-text-readable-${create}: what has an odd text cannot be read`,
    ...oddText(create, member, field, answeredRequest(read, { error: 'internal_error' }, { status: 500 })),
  ]),
  ...buildHistoriesPerKind(readings, ([create, read, member, field]) => [
    `odd-text-kept-${create}: an odd text is altered`,
    ...oddText(create, member, field, answeredRequest(read, { [member]: { id: 'x1', [field]: 'A\ufffd' } })),
  ]),
  ...buildHistoriesPerKind(Object.keys(errorCodesByStatus), (status) => [
    `error-code-${status}: a ${status} has another code`,
    toNobody('whoami', { error: 'other', message: 'No.' }, Number(status)),
  ]),
  'error-body: an error has no message': [toNobody('whoami', { error: 'unauthorized' }, 401)],
  'error-message: a message is the code': [
    toNobody('whoami', { error: 'unauthorized', message: 'unauthorized' }, 401),
  ],
  'error-status: a status is not documented': [toNobody('whoami', { error: 'teapot', message: 'No.' }, 418)],
  ...buildHistoriesPerKind(operationIds, (operation) => [
    `shape-${operation}: ${operation} is answered in another shape`,
    toNobody(operation, operation === 'listLeads' ? {} : 'text'),
  ]),
  'prospects-whole: a prospect has an id alone': [
    toNobody('listLeads', { connected: true, prospects: [{ id: 'p1' }] }),
  ],
  'in-progress-unfinished: a run goes on and is finished': [
    toNobody('runTask', { taskId: 't1', status: 'in_progress', finished: true }),
  ],
  'balance-not-negative: a balance is below zero': [
    toNobody('whoami', { org: { id: 'o1', name: null }, plan: 'free', credits: -1 }),
  ],
  'one-variant: two lists have two shapes': [
    answeredRequest('listTasks', { items: [], credits: 1 }),
    answeredRequest('listTasks', { items: [], usedToday: 1, limit: 2, remaining: 1 }),
  ],
}

function toNobody(
  operation: OperationId,
  json: unknown,
  status = 200,
  oddity?: GivenRequest['oddity'],
): GivenRequest {
  return answeredRequest(operation, json, { status, tenant: null, oddity })
}

function badBody(name: string, field: string): Partial<GivenRequest> {
  if (name === 'MALFORMED') return { content: 'not-json' }
  if (name === 'EMPTY') return { content: 'none' }
  if (name === 'NOT-OBJECT') return { body: [] }
  if (name === 'CASE') return { body: { [field.toUpperCase()]: 'Text' } }
  const value = { NULL: null, 'WRONG-TYPE': {}, SCALAR: 7 }[name]
  return { body: value === undefined ? {} : { [field]: value } }
}
