/** What each operation teaches: one function for a request that is sent, one for its answer. Any answer is believed. */
import type { OperationId } from '#contract/operation.ts'
import type { Answered, RequestEvent } from '../event.ts'
import type { Organization } from '../state.ts'
import { expectRun, learnCreatedTask, learnRun, learnTask, learnTaskList } from './tasks.ts'

type Table<E> = Readonly<Partial<Record<OperationId, (org: Organization, event: E) => void>>>

/** From the moment a request is sent it may have its effect. */
export const onRequest: Table<RequestEvent> = { runTask: expectRun }

export const onAnswer: Table<Answered> = {
  createTask: learnCreatedTask,
  getTask: learnTask,
  listTasks: learnTaskList,
  runTask: learnRun,
}
