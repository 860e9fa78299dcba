/** §7: ids that are taken amiss. */
import type { OperationId } from '#contract/operation.ts'
import type { Defect } from './defect.ts'

const breaking = (operation: OperationId, breaks: string): Defect => ({
  id: `odd-id-${operation}`,
  title: `${operation} fails with 500 where an id is not of plain letters.`,
  breaks: [breaks],
  mutate: () => ({
    async middleware(asked, next) {
      const id = decodeURIComponent(new URL(asked.request.url).pathname.split('/')[4] ?? '')
      const response = await next(asked.request)
      if (asked.operation !== operation || response.status === 401 || /^[\w-]{1,200}$/.test(id))
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
