/** Defects that show only where requests of two organizations arrive at once. */
import type { Organization } from '#mocks/core/organization.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after } from '../mutations/rules.ts'
import { together } from './crowd.ts'
import type { HistoryDefect } from './history-defect.ts'

export const atOnceOrganizations: readonly HistoryDefect[] = [
  {
    id: 'crowd-organizations-swapped',
    title: 'Where two organizations read whoami at once, the second reads the credits of the first.',
    mutate() {
      let credits: unknown
      return together(
        ['whoami'],
        (here) =>
          rewriteSuccess(({ body }) => {
            const answer = body as Fields
            if (here().rank > 0) answer.credits = credits
            else credits = answer.credits
          }, 'whoami'),
        true,
      )
    },
  },
  {
    id: 'crowd-documents-cross',
    title:
      'Of documents that two organizations create at once in folders, the later is stored with the content of the earlier.',
    mutate() {
      let first: { org: Organization; content: string | null } | undefined
      return together(
        ['createDocument'],
        (here) =>
          after('createDocument', ({ org }) => {
            const [document] = org.documents.newest(1)
            if (!document?.folder_id) return
            if (here().rank === 0) first = { org, content: document.content_md }
            else if (first && first.org !== org) Object.assign(document, { content_md: first.content })
          }),
        true,
      )
    },
  },
]
