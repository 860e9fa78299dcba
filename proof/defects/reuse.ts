/** §2: ids that are given out again, and connections whose answers belong to other requests. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewriteField } from '../mutations/reply.ts'
import type { Defect } from './defect.ts'

/** Numbers the new rows of a kind, and starts again after so many. */
const wraps = (kind: string, after: number): Mutation => ({
  onOrganization(org: Organization) {
    const newId = org.newId.bind(org)
    let count = 0
    org.newId = (wanted) => (wanted === kind ? `${kind}_${org.id}_${count++ % after}` : newId(wanted))
  },
})

/** Gives every so many-th new row the id of the one before it. */
const repeats = (kind: string, every: number): Mutation => ({
  onOrganization(org: Organization) {
    const newId = org.newId.bind(org)
    let last = ''
    let count = 0
    org.newId = (wanted) => {
      if (wanted !== kind) return newId(wanted)
      if (++count % every !== 0 || last === '') last = newId(wanted)
      return last
    }
  },
})

/** Gives so many answers in a row the same id. */
function inARow(field: string, operation: OperationId, length: number): Mutation {
  let last: unknown
  let count = 0
  return rewriteField(
    field,
    (id) => {
      if (count++ % length === 0) last = id
      return last
    },
    operation,
  )
}

/** The HTML page with which a server answers bytes that are no request. */
const unreadable = () =>
  new Response('<h1>Bad request syntax</h1>', { status: 400, headers: { 'content-type': 'text/html' } })

/** Leaves the bodies of refused requests unread; the next request on the connection is not understood. */
const leavesBody = (status: number): Defect => ({
  id: `body-left-unread-after-${status}`,
  title: `A request that is refused with ${status} leaves its body unread, which spoils the next request on the connection.`,
  breaks: ['ANSWER-IN-STEP'],
  mutate() {
    let unread = false
    return {
      async middleware({ request, operation }, next) {
        const isFresh = request.headers.get('connection') === 'close'
        if (unread && !isFresh && operation) {
          unread = false
          return unreadable()
        }
        const response = await next(request)
        if (response.status === status && request.body !== null && !isFresh) unread = true
        return response
      },
    }
  },
})

export const reuse: readonly Defect[] = [
  leavesBody(400),
  {
    id: 'task-id-wraps',
    title: 'The ids of tasks start again after thirty.',
    breaks: ['TASK-UNIQUE'],
    mutate: () => wraps('task', 30),
  },
  {
    id: 'doc-id-wraps',
    title: 'The ids of documents start again after twelve.',
    breaks: ['DOC-UNIQUE'],
    mutate: () => wraps('document', 12),
  },
  {
    id: 'notification-id-repeated-sometimes',
    title: 'Every third notification gets the id of the one before it.',
    breaks: ['LIST-IDS-UNIQUE'],
    mutate: () => repeats('notification', 3),
  },
  {
    id: 'run-id-repeated-sometimes',
    title: 'Every second run has the runId of the one before it.',
    breaks: ['RUN-ID-UNIQUE'],
    variant: 'second',
    mutate: () => inARow('runId', 'runTask', 2),
  },
  {
    id: 'artifact-id-repeated-sometimes',
    title: 'Three generations in a row have the same artifactId.',
    breaks: ['CREATIVE-UNIQUE'],
    mutate: () => inARow('artifactId', 'generateCreative', 3),
  },
]
