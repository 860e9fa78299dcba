/** What each operation teaches, when it is sent and when it is answered. Every answer is believed. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { hadEffect, textAt } from '../matching.ts'
import type { Organization, State } from '../state.ts'
import { expectPaid, learnCreative, learnCredits, learnPaid } from './credits.ts'
import { learnCreatedDocument, learnCreatedPage, learnDocument, learnDocumentList } from './documents.ts'
import { expectDeletion, learnCreatedKey, learnDeletion, learnKeyList } from './keys.ts'
import { expectMark, learnMark, learnNotificationList } from './notifications.ts'
import { expectRun, learnCreatedTask, learnRun, learnTask, learnTaskList } from './tasks.ts'

type Lesson<E> = (org: Organization, event: E, state: State) => void
type Table<E> = Readonly<Partial<Record<OperationId, readonly Lesson<E>[]>>>

/** From the moment a request is sent it may have its effect. */
export const onRequest: Table<RequestEvent> = {
  createTask: [expectCreated],
  createDocument: [expectCreated],
  createKey: [expectCreated],
  createLandingPage: [expectCreated],
  runTask: [expectRun, expectPaid],
  generateCreative: [expectPaid],
  readNotification: [expectMark],
  deleteKey: [expectDeletion],
}

export const onAnswer: Table<Answered> = {
  whoami: [learnOrganization, learnCredits],
  createKey: [learnCreatedKey, learnCreating],
  listKeys: [learnKeyList],
  deleteKey: [learnDeletion],
  listTasks: [learnTaskList],
  createTask: [learnCreatedTask, learnCreating],
  getTask: [learnTask],
  runTask: [learnRun, learnPaid],
  listDocuments: [learnDocumentList],
  getDocument: [learnDocument],
  createDocument: [learnCreatedDocument, learnCreating],
  listNotifications: [learnNotificationList],
  readNotification: [learnMark],
  generateCreative: [learnCreative],
  createLandingPage: [learnCreatedPage, learnCreating],
}

function learnOrganization(org: Organization, { id: by, answer }: Answered): void {
  const value = idOf(field(answer.json, 'org', 'id'))
  if (isSuccess(answer) && value !== undefined) org.id ??= { value, by }
}

/** A request to create something may have its effect from the moment it is sent. */
function expectCreated(org: Organization, { id, operation, sent, body }: RequestEvent): void {
  const name = textAt(body, 'business_name')
  org.creating = [...org.creating, { by: id, from: sent, to: null, operation, name }]
}

function learnCreating(org: Organization, { id, answer }: Answered): void {
  if (hadEffect(answer) !== undefined) org.creating = org.creating.filter(({ by }) => by !== id)
}
