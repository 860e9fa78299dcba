/** §4: lists at the end of the run, when much has been created: they contain the newest item, and did so at once. */

import { Violation } from '../client/check-errors.ts'
import { listWith } from '../evidence/late-lists.ts'
import { newTask } from '../evidence/resources.ts'
import { type Requirement, should } from '../harness/requirement.ts'
import { document, listing, newestListed, task } from './stored-resources.ts'

export const endOfRun: Requirement[] = [
  newestListed(task),
  newestListed(document),

  should('LIST-PROMPT', '§4', null, listing)
    .states('Lists contain a created task or document at once.')
    .check(async (t) => {
      await listWith(t, 'listTasks', (await newTask(t)).id)
      const [late] = t.run.lateLists.toSorted((a, b) => b.ms - a.ms)
      if (late === undefined) return
      const { lists, id, ms } = late
      throw new Violation(
        'each new task and document in the next list',
        `${id} after ${Math.round(ms)} ms; ${t.run.lateLists.length} lists in all were late`,
        ...lists,
      )
    }),
]
