/** Defects that show only by what another organization does. */
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { charge, isTaken, onEnd } from './memory.ts'
import { watched } from './watched.ts'

export const otherOrganization: readonly HistoryDefect[] = [
  {
    id: 'other-failed-run-refunds-us',
    title: 'The refund of a failed run goes to the organization that asked for a run last.',
    mutate: () =>
      watched(() => {
        let last: Organization | undefined
        return combine(
          after('runTask', ({ org }, outcome) => {
            if (isTaken(outcome)) last = org
          }),
          onEnd((org, run, usual) => {
            usual()
            if (run.outcome !== 'failed' || !last || last === org) return
            charge(org, run)
            charge(last, run, -1)
          }),
        )
      }),
  },
  {
    id: 'other-no-credits-refuses-us',
    title: 'A run is refused with 402 where the other organization has no credit.',
    mutate: () =>
      watched(({ others }) =>
        handle('runTask', (call, usual) => {
          const isBroke = others(call.org).some(({ ledger }) => !ledger.solvent)
          return isBroke && call.org.tasks.get(call.id) ? fail('no_credits') : usual(call)
        }),
      ),
  },
  {
    id: 'other-same-folder-shared',
    title:
      'The documents of a folder are listed in the folder of the same name of others, where there are three or more.',
    mutate: () =>
      watched(({ others }) =>
        handle('listDocuments', (call, usual) => {
          const answer = usual(call)
          const { folder_id } = call.query
          if (answer instanceof Failure || !folder_id) return answer
          const theirs = others(call.org).flatMap((org) => {
            const other = usual({ ...call, org })
            return other instanceof Failure || other.items.length < 3 ? [] : other.items
          })
          return { items: [...answer.items, ...theirs] }
        }),
      ),
  },
  {
    id: 'other-namesake-overwrites',
    title: "A document with the title of one of the other organization's overwrites the content of that one.",
    mutate: () =>
      watched(({ others }) =>
        after('createDocument', ({ org, body: { title, content_md = null } }) => {
          for (const other of others(org)) {
            const [namesake] = other.documents.newest(1, (one) => one.title === title)
            if (namesake) Object.assign(namesake, { content_md })
          }
        }),
      ),
  },
  {
    id: 'other-namesake-finished',
    title: 'A new task with the text of one that ran in the other organization is finished from the start.',
    mutate: () =>
      watched(({ others }) =>
        handle('getTask', (call, usual) => {
          const answer = usual(call)
          const task = call.org.tasks.get(call.id)
          const ran = others(call.org).some(({ tasks }) =>
            tasks.newest(1, ({ text, run }) => text === task?.text && run?.ended === true).at(0),
          )
          return 'finished' in answer && !task?.run && ran ? { ...answer, finished: true } : answer
        }),
      ),
  },
]
