/** What was possible before an answer or a step, in words. */
import type { Settings } from '../harness/terms.ts'
import { judge, type ModelEvent, type Organization } from '../model/index.ts'
import type { Executor } from './executor.ts'
import { resolve } from './fill-in.ts'
import type { CallStep, Step } from './step.ts'

/** Sentences about the organization and the thing that each event of a history is about, before it, by its id. */
export function wordsBeforeEach(
  history: readonly ModelEvent[],
  { consistency, runTimeout }: Settings,
): ReadonlyMap<number, string[]> {
  const words = new Map<number, string[]>()
  judge(history, {
    lag: consistency,
    patience: runTimeout,
    before(event, { organizations }) {
      const org = event.tenant === null ? undefined : organizations.get(event.tenant)
      if (event.tenant !== null) words.set(event.id, org ? wordsOf(org, resourceOf(event)) : [...nothing])
    },
  })
  return words
}

const nothing = ['Nothing was known.']

const resourceOf = (event: ModelEvent) => (event.kind === 'request' ? event.resource : undefined)

/** Sentences about the organization and the thing that a step is about, before it is done; none: it is about none. */
export function wordsBeforeStep({ state, answers }: Executor, step: Step): string[] {
  if (step.kind === 'wait') return []
  const { tenant, of = undefined } = (step.kind === 'burst' ? step.calls[0] : step) as Partial<CallStep>
  const org = tenant && state.organizations.get(tenant)
  return org ? wordsOf(org, of && resolve(answers, of)) : [...nothing]
}

const wordsOf = (org: Organization, resource: string | undefined) => [
  ...ofBalance(org),
  ...ofTask(org, resource),
  ...ofKeys(org),
]

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

function ofBalance({ balance: { bases, paid } }: Organization): string[] {
  const base = bases.at(-1)
  if (!base) return ['The balance was not known.']
  const open = paid.filter(({ over, from }) => over === null && from.place > base.from.place)
  const since = open.length === 0 ? 'no paid request since' : `${counted(open.length, 'paid request')} since`
  return [`The balance was ${base.credits} when it was last read, with ${since} that may still be going.`]
}

function ofTask({ tasks }: Organization, id: string | undefined): string[] {
  const task = id === undefined ? undefined : tasks.get(id)
  if (!task) return []
  const born = task.born ? 'created by this run' : 'not created by this run'
  const last = task.readings.at(-1)
  const read = last ? `last read as ${last.finished ? 'finished' : 'unfinished'}` : 'never read'
  return [`The task ${id} was ${born}, had ${counted(task.runs.length, 'run')} and was ${read}.`]
}

function ofKeys({ keys }: Organization): string[] {
  const living = [...keys.values()].filter(({ deleted }) => !deleted).length
  return keys.size === 0 ? [] : [`Of ${counted(keys.size, 'created key')}, ${living} existed.`]
}
