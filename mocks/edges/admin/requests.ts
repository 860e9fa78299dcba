/** `/__admin/requests`: the journal, with secrets redacted. */
import { z } from 'zod'
import { expectation } from '../../journal/api.ts'
import { requestFilter } from '../../journal/filter.ts'
import { JournalReader, WaitTimeout } from '../../journal/reader.ts'
import { harView, requestView } from './request-views.ts'
import { bodyOf, type ControlCall, control, ProblemError } from './route.ts'

const found = z.object({ requests: z.array(requestView) })

/** Returns a reader for the requests that a call may see. */
export function readerOf({ service, org }: Pick<ControlCall, 'service' | 'org'>): JournalReader {
  return new JournalReader(
    service.journal,
    () => org?.id,
    () => service.tenants.secrets,
  )
}

/** The routes of the journal. */
export const requestRoutes = [
  control({
    method: 'GET',
    path: '/requests',
    summary: 'List requests and their responses, oldest first, with secrets redacted.',
    query: requestFilter,
    answer: found,
    example: '?operation=runTask&status=4xx&limit=10',
    run: (call) => ({ requests: readerOf(call).list(call.query) }),
  }),
  control({
    method: 'POST',
    path: '/requests/find',
    summary: 'List requests, with the filter in the body.',
    body: requestFilter,
    answer: found,
    example: { operation: ['createTask', 'runTask'], error: 'no_credits' },
    run: (call) => ({ requests: readerOf(call).list(call.body) }),
  }),
  control({
    method: 'POST',
    path: '/requests/count',
    summary: 'Count the matching requests.',
    body: requestFilter,
    answer: z.object({ count: z.int() }),
    example: { operation: 'runTask' },
    run: (call) => ({ count: readerOf(call).count(call.body) }),
  }),
  control({
    method: 'POST',
    path: '/requests/wait',
    summary: 'Wait until a number of matching requests are in the journal, and return them.',
    body: bodyOf(expectation),
    answer: found,
    refusals: { 408: 'They did not arrive in time; `matched` and `seen` list the requests that did.' },
    example: { match: { operation: 'runTask', status: '2xx' }, count: 2, timeout: '5s' },
    async run(call) {
      const { match, count, timeout } = call.body
      const { signal } = call.request.raw
      try {
        return { requests: await readerOf(call).wait({ match, count, timeout_ms: timeout }, signal) }
      } catch (error) {
        if (!(error instanceof WaitTimeout)) throw error
        throw new ProblemError(408, error.message, { matched: error.matched, seen: error.seen })
      }
    },
  }),
  control({
    method: 'GET',
    path: '/requests.har',
    summary: 'Download requests as a HAR 1.2 file, for the network panel of a browser.',
    query: requestFilter,
    answer: harView,
    run(call) {
      const headers = {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="work-agent-mock.har"',
      }
      return new Response(JSON.stringify(readerOf(call).har(call.query), null, 2), { headers })
    },
  }),
]
