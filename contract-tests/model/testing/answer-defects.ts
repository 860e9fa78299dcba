/** For each rule about answers by themselves, whatever came before, a defect that it finds. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { codesOf } from '../rules/answers.ts'
import { refusedBodies } from '../rules/refusals.ts'
import { type Arranged, type Given, said } from './history.ts'

type History = readonly (Given | Arranged)[]
export type Table = Readonly<Record<string, History>>

/** A row for each of several, with its history behind its name. */
export const each = <const Kind>(
  kinds: readonly Kind[],
  row: (kind: Kind) => readonly [name: string, ...History],
): Table => Object.fromEntries(kinds.map(row).map(([name, ...history]) => [name, history]))

/** What a valid request of an operation holds. */
function valid(operation: OperationId): Pick<Given, 'resource' | 'body'> {
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

const badBodies = ([operation, field, names]: (typeof refusedBodies)[number]) =>
  names.map((name) => ({ operation, name, body: badBody(name, field) }))

/** `rule: defect`, and the answer that shows it, or the two. */
export const ofAnswers: Table = {
  ...each(operationIds, (operation) => [
    `admitted-${operation}: a valid ${operation} is answered 500`,
    said(operation, { error: 'internal_error' }, { ...valid(operation), status: 500 }),
  ]),
  'unavailable-unarranged: a valid request is answered 503 although no outage was arranged': [
    said('whoami', { error: 'unavailable' }, { status: 503 }),
  ],
  ...each(operationIds.flatMap(unauthorized), ({ operation, credential }) => [
    `unauthorized-${credential}-${operation}: ${operation} is answered without a credential that it takes`,
    said(operation, {}, { ...valid(operation), tenant: null, credential }),
  ]),
  ...each(refusedBodies.flatMap(badBodies), ({ operation, name, body }) => [
    `bad-input-${name.toLowerCase()}-${operation}: ${operation} with bad input is answered 500`,
    said(operation, { error: 'internal_error' }, { ...body, status: 500 }),
  ]),
  ...each(Object.keys(codesOf), (status) => [
    `error-code-${status}: a ${status} has another code`,
    toNobody('whoami', { error: 'other', message: 'No.' }, Number(status)),
  ]),
  'error-body: an error has no message': [toNobody('whoami', { error: 'unauthorized' }, 401)],
  'error-message: a message is the code': [
    toNobody('whoami', { error: 'unauthorized', message: 'unauthorized' }, 401),
  ],
  'error-status: a status is not documented': [toNobody('whoami', { error: 'teapot', message: 'No.' }, 418)],
  ...each(operationIds, (operation) => [
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
    said('listTasks', { items: [], credits: 1 }),
    said('listTasks', { items: [], usedToday: 1, limit: 2, remaining: 1 }),
  ],
}

function toNobody(operation: OperationId, json: unknown, status = 200): Given {
  return said(operation, json, { status, tenant: null })
}

function badBody(name: string, field: string): Partial<Given> {
  if (name === 'MALFORMED') return { content: 'not-json' }
  if (name === 'EMPTY') return { content: 'none' }
  if (name === 'NOT-OBJECT') return { body: [] }
  const value = { NULL: null, 'WRONG-TYPE': {}, SCALAR: 7 }[name]
  return { body: value === undefined ? {} : { [field]: value } }
}
