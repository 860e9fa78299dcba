/** The violations that the strength of a run is measured by, as mocks that show them. */
import type { Variant } from '#contract/route.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { type Measured, measured, noticedBy } from '#contract-tests/strength/strength.ts'
import { lateBy, type Violation } from '#contract-tests/strength/violations.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { mutants } from './mutants/index.ts'
import type { Mutation } from './mutations/mutation.ts'
import { onEnd, refunding } from './mutations/organizations.ts'
import { rewriteErrors, rewriteSuccess } from './mutations/reply.ts'
import { answer, give, lateDocuments, lateKeyList, lateTasks } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

/** The last entry that another organization was shown. */
function foreign<Item>() {
  const shown = new Map<Organization, Item>()
  return (items: readonly Item[], org: Organization): Item[] => {
    if (items[0] !== undefined) shown.set(org, items[0])
    const [, other] = [...shown].find(([owner]) => owner !== org) ?? []
    return other === undefined ? [...items] : [...items, other]
  }
}

const strangers = {
  listTasks() {
    const added = foreign<object>()
    return answer('listTasks', ({ items }, { org }) => ({ items: added(items, org) as typeof items }))
  },
  listDocuments() {
    const added = foreign<object>()
    return answer('listDocuments', ({ items }, { org }) => ({ items: added(items, org) as typeof items }))
  },
  listKeys() {
    const added = foreign<object>()
    return answer('listKeys', ({ keys }, { org }) => ({ keys: added(keys, org) as typeof keys }))
  },
} as const

const lates = {
  listTasks: () => lateTasks(lateBy),
  listDocuments: () => lateDocuments(lateBy),
  listKeys: () => lateKeyList(lateBy),
} as const

/** A mock that shows a violation; undefined: there is none. */
function mutationOf({ id, operation }: Violation): (() => Mutation) | undefined {
  const mutant = mutants.find((one) => one.id === id)
  if (mutant) return mutant.mutate
  const [first = '', ...rest] = id.split(' ')
  const what = rest.join(' ')
  if (first === 'refund')
    return () =>
      what === 'forgotten'
        ? refunding(() => undefined)
        : onEnd((org, { outcome }, at) => void (outcome === 'failed' && org.ledger.topUp(1, at)))
  if (/^\d/.test(first))
    return () =>
      rewriteErrors(Number(first), (reply) => {
        const body = reply.body as Record<string, unknown>
        if (what === 'with another code') body.error = 'problem'
        else delete body[what === 'without a code' ? 'error' : 'message']
      })
  if (operation === null) return undefined
  if (what === 'free' || what === 'charged twice') return () => give(what === 'free' ? 1 : -1, operation)
  if (what === 'late') return lates[operation as keyof typeof lates]
  if (what === 'of another organization') return strangers[operation as keyof typeof strangers]
  if (what === 'success as 500')
    return () =>
      rewriteSuccess((reply) => {
        Object.assign(reply, { status: 500, body: { error: 'internal', message: 'Something went wrong.' } })
      }, operation)
  return undefined
}

const green = new Map<Variant, Promise<Measured>>()

async function measure(variant: Variant): Promise<Measured> {
  const { run } = await tryMutations([], variant, { extended: 'on' })
  return measured(run, settingsWith({ apiKey: '', extended: 'on' }))
}

/** Whether a violation is noticed: offline, in what a healthy mock has answered, and by a run against a mock that has it. */
export async function tryViolation(violation: Violation): Promise<{ offline: boolean; online: boolean }> {
  const variant = mutants.find(({ id }) => id === violation.id)?.variant ?? 'first'
  const run = green.get(variant) ?? measure(variant)
  green.set(variant, run)
  const mutate = mutationOf(violation)
  if (!mutate) throw new Error(`no mock shows ${violation.id}`)
  const { red } = await tryMutations([mutate()], variant, { extended: 'on' }, { first: true })
  return { offline: (noticedBy(violation, await run) ?? []).length > 0, online: red.length > 0 }
}
