/**
 * Whether a history shows a violation from nothing: in an organization that nobody has used, after as many things were
 * made as it needs. A longer key than the operator's opens such an organization at a mock; a service refuses it.
 */
import type { OperationId } from '#contract/operation.ts'
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import type { State } from '../model/index.ts'
import type { Shown } from './findings.ts'
import { replay } from './replay.ts'
import { type Stage, stageOf } from './stage.ts'
import { callsOf, type Step, type Tenant, tenantsOf } from './step.ts'

/** Steps that show a violation from nothing, and where they last did. */
interface Rooted {
  readonly steps: readonly Step[]
  readonly shown: Shown
}

/** What may have been there, by what was asked for last. */
const kinds: readonly {
  readonly of: readonly OperationId[]
  readonly made: OperationId | 'unread_notification'
}[] = [
  { of: ['listTasks', 'getTask', 'createTask', 'runTask'], made: 'createTask' },
  { of: ['listDocuments', 'getDocument', 'createDocument'], made: 'createDocument' },
  { of: ['listNotifications', 'readNotification'], made: 'unread_notification' },
  { of: ['listLandingPages'], made: 'createLandingPage' },
]

/** Most things that are made before, and how many at once. */
const most = { before: 250, atOnce: 8 } as const

export class FreshOrganizations {
  readonly #stage: Stage
  readonly #next: () => number
  readonly #newTag: () => string
  #opened = 0
  #isRefused = false

  constructor(stage: Stage, next: () => number, newTag: () => string) {
    this.#stage = stage
    this.#next = next
    this.#newTag = newTag
  }

  /**
   * The steps as they show a violation from nothing; `false`: they do not, even after as many things were made as there
   * are; undefined: there is no such organization, or no time to find out.
   */
  async root(
    steps: readonly Step[],
    requirement: string,
    endings: State['endings'],
  ): Promise<Rooted | false | undefined> {
    const show = async (tried: readonly Step[]): Promise<Rooted | false | undefined> => {
      const stage = await this.stageFor(steps)
      if (!stage || this.#stage.end.left === 0) return undefined
      const { failed, ordinary } = endings
      const known = { failed: new Set(failed), ordinary: new Set(ordinary) }
      const done = await replay(stage, tried, this.#newTag(), requirement, known)
      await stage.creditSource.close()
      return done.violation?.requirement === requirement && done.isCertain
        ? { steps: tried, shown: { ...done, violation: done.violation } }
        : false
    }
    const alone = await show(steps)
    const last = steps.flatMap(callsOf).at(-1)
    const made = kinds.find(({ of }) => last && of.includes(last.operation))?.made
    if (alone !== false || !last || !made) return alone
    let [least, many] = [0, Math.min(this.#countOf(made, last.tenant), most.before)]
    let found = await show([...this.#before(made, last.tenant, many), ...steps])
    while (found && many - least > Math.max(1, many / 10)) {
      const middle = Math.ceil((least + many) / 2)
      const shown = await show([...this.#before(made, last.tenant, middle), ...steps])
      if (shown === undefined) return found
      if (shown) [found, many] = [shown, middle]
      else least = middle
    }
    return found
  }

  /** An organization that nobody has used, and another one where the steps need two; undefined: there is none. */
  async stageFor(steps: readonly Step[]): Promise<Stage | undefined> {
    if (this.#isRefused) return undefined
    const tenants = tenantsIn(steps)
    const { t, creditSource, end } = this.#stage
    const mark = `-${t.runId}-${++this.#opened}`
    const longer = (credential: string | undefined) => credential && `${credential}${mark}`
    const settings = {
      ...t.settings,
      apiKey: `${t.settings.apiKey}${mark}`,
      otherApiKey: longer(t.settings.otherApiKey),
      sessionCookie: longer(t.settings.sessionCookie),
      otherSessionCookie: longer(t.settings.otherSessionCookie),
    }
    const own = new TestContext({ settings, target: t.target, run: new RunState(settings) })
    const stage = { ...stageOf(own), end }
    await stage.creditSource.open(tenants)
    const known = new Set((['main', 'other'] as const).map((tenant) => creditSource.idOf(tenant)))
    const isFresh = tenants.every((tenant) => !['', 'undefined'].includes(stage.creditSource.idOf(tenant)))
    const isElsewhere = tenants.every((tenant) => !known.has(stage.creditSource.idOf(tenant)))
    this.#isRefused = !isFresh || !isElsewhere
    return this.#isRefused ? undefined : stage
  }

  /** How many of a kind this search has made in an organization. */
  #countOf(made: string, tenant: Tenant): number {
    return this.#stage.wire.history.filter(
      (event) =>
        event.tenant === tenant && made === (event.kind === 'arranged' ? event.state : event.operation),
    ).length
  }

  /** The steps that make so many of a kind. */
  #before(made: OperationId | 'unread_notification', tenant: Tenant, many: number): Step[] {
    if (made === 'unread_notification')
      return Array.from({ length: many }, () => ({
        kind: 'state',
        at: this.#next(),
        tenant,
        state: made,
        params: {},
      }))
    const name = { createTask: 'text', createDocument: 'title' }[made as string] ?? 'business_name'
    return Array.from({ length: Math.ceil(many / most.atOnce) }, (_, nth): Step => {
      const size = Math.min(most.atOnce, many - nth * most.atOnce)
      const calls = Array.from({ length: size }, (_, i) => {
        const body = { [name]: `Before ${nth * most.atOnce + i} {tag}` }
        return { kind: 'call', at: this.#next(), tenant, as: 'key', operation: made, body } as const
      })
      return { kind: 'burst', at: this.#next(), calls }
    })
  }
}

const tenantsIn = (steps: readonly Step[]): Tenant[] => {
  const used = new Set(steps.flatMap(tenantsOf))
  return (['main', 'other'] as const).filter((tenant) => used.has(tenant))
}
