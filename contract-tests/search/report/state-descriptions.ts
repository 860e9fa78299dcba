/** Sentences on what the model knew, for people who read a finding. */
import type { SuiteSettings } from '../../harness/terms.ts'
import { judgeHistory, type KnownOrganization, type ModelEvent } from '../../model/index.ts'

/** Sentences on what the model knew before each event, by the id of the event. */
export function stateDescriptionsByEvent(
  history: readonly ModelEvent[],
  { consistency, runTimeout }: SuiteSettings,
): ReadonlyMap<number, string[]> {
  const words = new Map<number, string[]>()
  judgeHistory(history, {
    consistency,
    runTimeout,
    onBeforeEvent(event, { organizations }) {
      if (event.tenant === null) return
      const org = organizations.get(event.tenant)
      const resource = event.kind === 'request' ? event.resource : undefined
      const known = org && [...describeBalance(org), ...describeTask(org, resource), ...describeKeys(org)]
      words.set(event.id, known ?? ['Nothing was known.'])
    },
  })
  return words
}

const pluralized = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

function describeBalance({ balance: { readings, charges } }: KnownOrganization): string[] {
  const base = readings.at(-1)
  if (!base) return ['The balance was not known.']
  const open = charges.filter(({ completion, from }) => completion === null && from.seq > base.from.seq)
  const since =
    open.length === 0 ? 'no paid request since' : `${pluralized(open.length, 'paid request')} since`
  return [`The balance was ${base.credits} when it was last read, with ${since} that may still be going.`]
}

function describeTask({ tasks }: KnownOrganization, id: string | undefined): string[] {
  const task = id === undefined ? undefined : tasks.get(id)
  if (!task) return []
  const born = task.created ? 'created by this run' : 'not created by this run'
  const last = task.readings.at(-1)
  const read = last ? `last read as ${last.finished ? 'finished' : 'unfinished'}` : 'never read'
  return [`The task ${id} was ${born}, had ${pluralized(task.runs.length, 'run')} and was ${read}.`]
}

function describeKeys({ keys }: KnownOrganization): string[] {
  const living = [...keys.values()].filter(({ deleted }) => !deleted).length
  return keys.size === 0 ? [] : [`Of ${pluralized(keys.size, 'created key')}, ${living} existed.`]
}
