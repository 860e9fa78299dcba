/** Does steps again in a fresh context, and looks at all that a case touched at its end. */
import { field, idOf } from '#traffic/exchange.ts'
import { createdId } from '../harness/operations.ts'
import type { Settings } from '../harness/terms.ts'
import { judge, type ModelEvent, type ModelViolation, type Organization, type State } from '../model/index.ts'
import type { Draw } from './draw.ts'
import { type AssumedLateness, deleteKeys, type Env } from './env.ts'
import { createExecutor, type Executor } from './executor.ts'
import { lists, type Thing } from './inventory.ts'
import { Log } from './log.ts'
import { type CallStep, durationOf, type Step, usual } from './step.ts'

/** Most things of a kind that are read again, and most old ones. */
const most = { touched: 5, old: 2 } as const

/** The steps for one organization, to be done `consistency` ms after the last change: several are read at once. */
export function auditOf(d: Draw): Step[] {
  const calls = readings(d)
  const { clients } = d.offers
  if (clients === 1) return calls
  return Array.from({ length: Math.ceil(calls.length / clients) }, (_, i) =>
    d.burst(calls.slice(i * clients, (i + 1) * clients)),
  )
}

function readings(d: Draw): CallStep[] {
  const { inventory, random, tenant, offers } = d
  const touched = (kind: Thing['kind']) =>
    inventory.of(kind, tenant).filter(({ used }) => used === inventory.case)
  const some = (kind: Thing['kind']) => {
    const old = inventory.of(kind, tenant).filter(({ used }) => used < inventory.case)
    return [
      ...touched(kind).slice(-most.touched),
      ...Array.from({ length: most.old }, () => random.pick(old)).filter((one) => one !== undefined),
    ]
  }
  const documents = some('document')
  const folders = new Set(documents.flatMap(({ folder }) => folder ?? []))
  const keys = offers.session(tenant) ? some('key') : []
  return [
    d.call('whoami', { as: 'key' }),
    d.call('listTasks', { as: 'key' }),
    d.call('listNotifications', { as: 'key' }),
    ...some('task').map(({ made }) => d.call('getTask', { as: 'key', of: { made } })),
    ...documents.map(({ made }) => d.call('getDocument', { as: 'key', of: { made } })),
    ...(touched('document').length > 0 ? [d.call('listDocuments', { as: 'key', query: { all: '1' } })] : []),
    ...[...folders].map((folder_id) => d.call('listDocuments', { as: 'key', query: { folder_id } })),
    ...keys.map(({ made }) => d.call('whoami', { as: { made } })),
    ...(keys.length > 0 ? [d.call('listKeys', { as: 'session' })] : []),
    ...(offers.extended && touched('page').length > 0 ? [d.call('listLandingPages')] : []),
  ]
}

/** Waits for the runs of a case to end. */
export function ends(d: Draw): Step[] {
  const touched = d.inventory
    .of('task', d.tenant)
    .filter(({ used, runs }) => used === d.inventory.case && runs > 0)
  return touched.map(({ made }) => d.end({ made }))
}

/** What came of it. */
export type Replay = Awaited<ReturnType<typeof replay>>

/** How many times as long as expected steps may take, beside runs that are awaited. */
const overrun = 4

/**
 * Does steps until a requirement is violated, the wanted one or another. `lateness`: an assumption to judge by, too;
 * `deletes`: the keys that it made.
 */
export async function replay(
  env: Env,
  steps: readonly Step[],
  tag: string,
  requirement: string,
  finalStatuses: State['finalStatuses'],
  { lateness, deletes }: { lateness?: AssumedLateness | undefined; deletes?: boolean } = {},
) {
  const executor = createExecutor(env, finalStatuses, lateness)
  const log = new Log()
  executor.tag = tag
  env.wire.listeners.add(executor)
  const [sent, kept] = [env.wire.sent, env.keys.length]
  const wanted = (one: ModelViolation) => one.requirement === requirement
  const found = () => {
    const own = (all: readonly ModelViolation[]) => all.filter((one) => isOwn(one, executor, env))
    const [violations, suspicions] = [own(executor.violations), own(executor.suspicions)]
    const instead = [...violations, ...suspicions].find((one) => one.requirement !== 'LIST-PROMPT')
    return violations.find(wanted) ?? suspicions.find(wanted) ?? instead
  }
  const now = () => env.t.target.now()
  let until = now() + overrun * durationOf(steps) + usual.run
  let violation: ModelViolation | undefined
  try {
    for (const step of steps) {
      const began = now()
      log.add({ step, ms: began, case: 0 })
      await executor.finish(step)
      if (step.kind === 'end') until += now() - began
      if (found() || now() > until || env.end.left === 0) break
    }
    violation = found()
    if (env.opened === undefined) {
      await executor.tearDown()
      await executor.calm()
      if (deletes) await deleteKeys(env, [], kept)
    }
  } finally {
    env.wire.listeners.delete(executor)
  }
  const { wire } = env
  return {
    ...{ executor, log },
    /** Where it was done. */
    wire,
    /** The first contradiction, of the wanted requirement if there is one; that lists are late says nothing of another. */
    violation,
    /** It is one however late the service may be. */
    isCertain: violation !== undefined && executor.violations.includes(violation),
    /** Requests that were sent. */
    requests: wire.sent - sent + (env.opened ?? 0),
  }
}

/** Whether a contradiction in a list remains if the list showed only what the replay has made. */
function isOwn(violation: ModelViolation, executor: Executor, { wire, t }: Env): boolean {
  const id = violation.because.at(-1) ?? 0
  const made = new Set([...executor.answers.values()].map(createdId))
  const reduced = (event: ModelEvent): ModelEvent => {
    const member = event.kind === 'request' ? lists[event.operation] : undefined
    if (event.kind !== 'request' || !event.answer || !member) return event
    const shown = field(event.answer.json, member)
    if (!Array.isArray(shown)) return event
    const own = shown.filter((one) => made.has(idOf(field(one, 'id'))))
    return { ...event, answer: { ...event.answer, json: { ...Object(event.answer.json), [member]: own } } }
  }
  const events = wire.history.filter((event) => executor.stepOf(event.id) !== undefined)
  const last = events.find((event) => event.id === id)
  if (last?.kind !== 'request' || !lists[last.operation]) return true
  const times = executor.violations.includes(violation)
    ? { consistency: t.settings.consistency, runTimeout: t.settings.runTimeout }
    : { consistency: 0, runTimeout: 0 }
  const { violations } = judge(events.map(reduced), times)
  return violations.some(({ rule, because }) => rule === violation.rule && because.at(-1) === id)
}

/** Sentences about the organization and the thing that each event of a history is about, before it, by its id. */
export function wordsBeforeEach(
  history: readonly ModelEvent[],
  { consistency, runTimeout }: Settings,
): ReadonlyMap<number, string[]> {
  const words = new Map<number, string[]>()
  judge(history, {
    consistency,
    runTimeout,
    before(event, { organizations }) {
      if (event.tenant === null) return
      const org = organizations.get(event.tenant)
      const resource = event.kind === 'request' ? event.resource : undefined
      const known = org && [...ofBalance(org), ...ofTask(org, resource), ...ofKeys(org)]
      words.set(event.id, known ?? ['Nothing was known.'])
    },
  })
  return words
}

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
