/** §2 Task. */
import { z } from 'zod'
import { credits, identifier, status } from './values.ts'

/** Body of createTask (§4 Tasks). */
export const newTask = z.object({
  text: z.string().min(1).describe('What the agent should do, as free text.'),
})

/** A task (§2 Task). */
export const task = z.looseObject({
  id: identifier,
  text: z.string(),
  description: z.string().nullable(),
  status,
})

/** Response of listTasks, in each variant. */
export const taskList = {
  first: z.looseObject({ items: z.array(task), credits }),
  second: z.looseObject({
    items: z.array(task),
    usedToday: z.number().describe('Unit and reset time are unspecified (§8.3).'),
    limit: z.number(),
    remaining: z.number(),
  }),
}

/** Response of createTask, in each variant. */
export const createdTask = {
  first: z.looseObject({ task, credits }),
  second: z.looseObject({ task }),
}

/** Response of getTask. */
export const taskDetail = z.looseObject({
  task,
  finished: z.boolean().describe('True if the status of the task is final.'),
})

/** Response of runTask, in each variant. */
export const run = {
  first: z.looseObject({
    taskId: identifier,
    status,
    finished: z.boolean().describe('True if the run has already ended.'),
  }),
  second: z.looseObject({ ok: z.boolean(), status, runId: identifier }),
}
