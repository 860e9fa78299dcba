/** §7: ids with unusual characters that cause failures. */
import type { OperationId } from '#contract/operation.ts'
import type { Call } from '#mocks/handlers/handler.ts'
import { viewDocument, viewTask } from '#mocks/handlers/views.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const breaking = (operation: OperationId, breaks: string): Defect => ({
  id: `odd-id-${operation}`,
  title: `${operation} fails with 500 for ids with unusual characters.`,
  breaks: [breaks],
  mutate: () => ({
    async middleware(context, next) {
      const id = decodeURIComponent(new URL(context.request.url).pathname.split('/')[4] ?? '')
      const response = await next(context.request)
      if (context.operation !== operation || response.status === 401 || /^[\w-]{1,200}$/.test(id))
        return response
      return Response.json({ error: 'internal_error', message: 'Unexpected server error.' }, { status: 500 })
    },
  }),
})

/** Finds something under the names that every object of JavaScript has. */
const builtIn = (operation: 'getTask' | 'getDocument' | 'runTask', breaks: string): Defect => ({
  id: `built-in-id-${operation}`,
  title: `${operation} finds something under the id constructor.`,
  breaks: [breaks],
  mutate: () =>
    handle(operation, (call: Call<typeof operation>, usual) => {
      const { org } = call
      const [task] = org.tasks.newest(1)
      const [document] = org.documents.newest(1)
      if (call.id !== 'constructor' || !task || !document) return usual(call)
      if (operation === 'getDocument') return { item: viewDocument(document) }
      if (operation === 'getTask') return { task: viewTask(task), finished: false }
      return { ok: true, taskId: task.id, runId: org.newId('run'), status: 'pending', finished: false }
    }),
})

export const oddIds: readonly Defect[] = [
  breaking('getTask', 'TASK-ODD-ID'),
  breaking('getDocument', 'DOC-ODD-ID'),
  breaking('runTask', 'RUN-ODD-ID'),
  breaking('readNotification', 'NOTIFICATION-ODD-ID'),
  builtIn('getTask', 'TASK-ODD-ID'),
  builtIn('getDocument', 'DOC-ODD-ID'),
  builtIn('runTask', 'RUN-ODD-ID'),
]
