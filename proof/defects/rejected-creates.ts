/** §7: requests that are refused but create or charge something. */

import { createKey } from '#mocks/core/keys.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { createTask } from '#mocks/core/tasks.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Defect } from './defect.ts'

type Creating = 'createTask' | 'createDocument' | 'createKey'

/** Does something to every organization when an operation is refused as bad input. */
function onRefusal(operation: Creating, effect: (org: Organization, now: number) => void): Mutation {
  const known = new Set<Organization>()
  return {
    onOrganization: (org) => void known.add(org),
    async middleware(context, next) {
      const response = await next(context.request)
      if (context.operation === operation && [400, 422].includes(response.status))
        for (const org of known) effect(org, context.mock.clock.now())
      return response
    },
  }
}

const leaving = (
  operation: Creating,
  what: string,
  leave: (org: Organization, now: number) => void,
): Defect => ({
  id: `leftover-${operation}`,
  title: `${operation} creates ${what} although it refuses the request.`,
  breaks: [`LEFTOVER-${operation}`],
  mutate: () => onRefusal(operation, leave),
})

export const leftovers: readonly Defect[] = [
  leaving('createTask', 'a task without a text', (org, now) => createTask(org, '', now)),
  leaving('createDocument', 'a document without a title', (org, now) => {
    const nothing = { kind: null, content_md: null, summary: null, folder_id: null }
    org.documents.append({ id: org.newId('document'), title: '', created_at: now, ...nothing })
  }),
  leaving('createKey', 'a key', (org, now) => createKey(org, 'untitled', org.newSecret(), now)),
  {
    id: 'refused-task-costs',
    title: 'A task that is refused as bad input costs a credit.',
    breaks: ['LEFTOVER-createTask'],
    mutate: () => onRefusal('createTask', (org, now) => org.ledger.topUp(-1, now)),
  },
]
