/** What was possible before an answer or a step, in words. */
import type { Settings } from '../harness/settings.ts'
import { judge, type ModelEvent, type ModelViolation, type Organization } from '../model/index.ts'
import { resolve } from './fill-in.ts'
import type { Play } from './play.ts'
import type { CallStep, Step } from './step.ts'

/** Sentences about the organization and the thing that a violation is about, as they were before its last answer. */
export function wordsBefore(
  history: readonly ModelEvent[],
  { because }: ModelViolation,
  { consistency, runTimeout }: Settings,
): string[] {
  const last = history.findLast(({ id }) => id === because.at(-1))
  if (last?.kind !== 'request' || last.tenant === null) return []
  const earlier = history.filter(({ sent }) => sent.place < last.sent.place)
  const { state } = judge(earlier, { lag: consistency, patience: runTimeout })
  const org = state.organizations.get(last.tenant)
  return org ? wordsOf(org, last.resource) : []
}

/** Sentences about the organization and the thing that a step is about, before it is done; none: it is about none. */
export function wordsBeforeStep({ state, answers }: Play, step: Step): string[] {
  if (step.kind === 'wait') return []
  const { tenant, of = undefined } = (step.kind === 'burst' ? step.calls[0] : step) as Partial<CallStep>
  const org = tenant && state.organizations.get(tenant)
  return org ? wordsOf(org, of && resolve(answers, of)) : ['Nothing was known.']
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
  return [`The balance was ${base.credits} in exchange ${base.by}, with ${since} that may still be going.`]
}

function ofTask({ tasks }: Organization, id: string | undefined): string[] {
  const task = id === undefined ? undefined : tasks.get(id)
  if (!task) return []
  const born = task.born ? `created in exchange ${task.born.by}` : 'not created by this run'
  const last = task.readings.at(-1)
  const read = last
    ? `last read as ${last.finished ? 'finished' : 'unfinished'} in exchange ${last.by}`
    : 'never read'
  return [`The task ${id} was ${born}, had ${counted(task.runs.length, 'run')} and was ${read}.`]
}

function ofKeys({ keys }: Organization): string[] {
  const living = [...keys.values()].filter(({ deleted }) => !deleted).length
  return keys.size === 0 ? [] : [`Of ${counted(keys.size, 'created key')}, ${living} existed.`]
}
