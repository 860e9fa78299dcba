/** The violations that the strength of a run is measured by, as mocks that show them. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { type Measured, measured } from '#contract-tests/strength/strength.ts'
import { lateBy, type Violation } from '#contract-tests/strength/violations.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { mutants } from './mutants.ts'
import type { Mutation } from './mutations/mutation.ts'
import { onEnd, refunding } from './mutations/organizations.ts'
import { insteadOf, rewriteErrors } from './mutations/reply.ts'
import { give, lateList, listing } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

/** A list that shows the last entry that another organization was shown. */
function showingStrangers(operation: Parameters<typeof listing>[0]): Mutation {
  const shown = new Map<Organization, unknown>()
  return listing(operation, (items, org) => {
    if (items[0] !== undefined) shown.set(org, items[0])
    const [, other] = [...shown].find(([owner]) => owner !== org) ?? []
    return other === undefined ? items : [...items, other]
  })
}

const isList = (operation: OperationId): operation is 'listTasks' | 'listDocuments' | 'listKeys' =>
  operation === 'listTasks' || operation === 'listDocuments' || operation === 'listKeys'

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
  if (what === 'late' && isList(operation)) return () => lateList(operation, lateBy)
  if (what === 'of another organization' && isList(operation)) return () => showingStrangers(operation)
  if (what === 'success as 500')
    return () => insteadOf(({ status }) => status < 300, [500, 'internal'], operation)
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
  return { offline: ((await run).noticedBy(violation) ?? []).length > 0, online: red.length > 0 }
}
