/** Ids of forms that strict-client mode does not have. */
import type { Organization } from '#mocks/core/organization.ts'
import { createTask } from '#mocks/core/tasks.ts'
import { type Variation, variationsOf } from './variation.ts'

/** Counts the ids of each kind for an organization, from 1. */
function countIds(org: Organization): void {
  const counts = new Map<string, number>()
  org.newId = (kind) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return String(count)
  }
}

export const ids: readonly Variation[] = variationsOf({
  'ids-huge-numbers: Ids are numbers that no double can hold.': {
    allowed: '#ids: the form is open.',
    group: 'ids',
    mutate: () => ({
      // Ids of 15 digits get three more on the way out, and lose them on the way in.
      quirks: ['ids-numbers'],
      async middleware({ request }, next) {
        const shorten = (text: string) => text.replace(/922(\d{15})/g, '$1')
        const { method, headers } = request
        const body = Buffer.from(
          shorten(Buffer.from(await request.arrayBuffer()).toString('latin1')),
          'latin1',
        )
        const response = await next(
          new Request(shorten(request.url), { method, headers, body: body.length > 0 ? body : null }),
        )
        const text = await response.text()
        return new Response(text.replace(/(:\s*)(\d{15})(?!\d)/g, '$1922$2') || null, response)
      },
    }),
  },
  'ids-counted-for-each-organization: Ids are counted for each organization: two organizations use the same id for different things.':
    {
      allowed: '#organization-by-credential: two organizations may use one id for different things.',
      group: 'ids',
      mutate() {
        let count = 0
        return {
          onOrganization(org) {
            countIds(org)
            if (count++ === 0) return
            for (let i = 0; i < 150; i++) {
              createTask(org, `Task ${i} of ${org.name}`, 0)
              org.notify('notice', 'Notice', 'Something happened.', null, 0)
              org.documents.append({
                id: org.newId('document'),
                title: `Document ${i}`,
                kind: null,
                content_md: null,
                summary: null,
                folder_id: null,
                created_at: 0,
              })
            }
          },
        }
      },
    },
  'ids-counted-alike: Ids are counted for each organization, so that what the suite creates in two of them has the same ids.':
    {
      allowed: '#organization-by-credential: two organizations may use one id for different things.',
      group: 'ids',
      mutate: () => ({ onOrganization: countIds }),
    },
})
