/** §7: ids with unusual characters that cause failures. */
import type { OperationId } from '#contract/operation.ts'
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

export const oddIds: readonly Defect[] = [
  breaking('getTask', 'TASK-ODD-ID'),
  breaking('getDocument', 'DOC-ODD-ID'),
  breaking('runTask', 'RUN-ODD-ID'),
  breaking('readNotification', 'NOTIFICATION-ODD-ID'),
]
