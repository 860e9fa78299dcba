/** §2 Task. */
import { z } from 'zod'
import { credits, identifier, status } from './values.ts'

export const newTask = z.object({
  text: z.string().min(1).describe('What the agent is to do, as free text.'),
})

export const task = z.looseObject({
  id: identifier,
  text: z.string(),
  description: z.string().nullable(),
  status,
})

export const taskList = {
  first: z.looseObject({ items: z.array(task), credits }),
  second: z.looseObject({
    items: z.array(task),
    usedToday: z.number().describe('Its unit and reset time are not shown (§8.3).'),
    limit: z.number(),
    remaining: z.number(),
  }),
}

export const createdTask = {
  first: z.looseObject({ task, credits }),
  second: z.looseObject({ task }),
}

export const taskDetail = z.looseObject({
  task,
  finished: z.boolean().describe('True when the status of the task is final.'),
})

export const run = {
  first: z.looseObject({
    taskId: identifier,
    status,
    finished: z.boolean().describe('True when the run is over already.'),
  }),
  second: z.looseObject({ ok: z.boolean(), status, runId: identifier }),
}
