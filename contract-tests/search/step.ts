/** What the search does: steps that name what earlier steps made, so that they can be done again elsewhere. */
import { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { stateNames } from '../harness/terms.ts'

/** The two organizations. */
const tenant = z.enum(['main', 'other'])
export type Tenant = z.output<typeof tenant>

/** The number of a step, to which later ones refer. */
const at = z.int()
const made = z.strictObject({ made: at })
/** Something by the step that made it, or by its place in a list that a step has read. */
const ref = z.union([made, z.strictObject({ listed: at, nth: z.int().min(0), unread: z.boolean() })])
export type Ref = Readonly<z.output<typeof ref>>

/** What the `:id` of a path is, or an id as it is. */
const thing = z.union([ref, z.string()])

/** What a request authenticates with: a created key by the step that made it. */
const credential = z.union([z.enum(['key', 'session', 'none', 'invalid']), made])
export type Credential = z.output<typeof credential>

/** A request. Texts may contain `{tag}`, which each case and each replay replaces by a mark of its own. */
const call = z.strictObject({
  ...{ kind: z.literal('call'), at, tenant, as: credential, operation: z.enum(operationIds) },
  of: thing.optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** Sent as JSON; a string is sent as it is. */
  body: z.unknown().optional(),
})
export type CallStep = Readonly<z.output<typeof call>>

/** Several requests at once. */
const burst = z.strictObject({ kind: z.literal('burst'), at, calls: z.array(call).readonly() })

/** Waits for the run of a task to end, if one was accepted. */
const end = z.strictObject({ kind: z.literal('end'), at, tenant, of: thing })
export type EndStep = Readonly<z.output<typeof end>>

/** Sets up a provider state. */
const state = z.strictObject({
  ...{ kind: z.literal('state'), at, tenant, state: z.enum(stateNames) },
  params: z.record(z.string(), z.unknown()).readonly(),
})
export type StateStep = Readonly<z.output<typeof state>>

const wait = z.strictObject({ kind: z.literal('wait'), at, ms: z.number().min(0).max(600_000) })

/** The shape of a step, also in files. */
export const step = z.discriminatedUnion('kind', [call, burst, end, state, wait])
export type Step = Readonly<z.output<typeof step>>

/** The requests of a step; an `end` is one that reads. */
export function callsOf(step: Step): readonly CallStep[] {
  if (step.kind === 'burst') return step.calls
  return step.kind === 'call' ? [step] : []
}

/** The step that made what is referred to; undefined: it stands in a list, or is named by its id. */
export const makerOf = (ref: Ref | string | undefined): number | undefined =>
  typeof ref === 'object' && 'made' in ref ? ref.made : undefined

/** The steps that a step refers to. */
export function refersTo(step: Step): number[] {
  const refs = [...callsOf(step).flatMap(({ of, as }) => [of, as]), ...(step.kind === 'end' ? [step.of] : [])]
  return refs.flatMap((ref) => {
    if (typeof ref !== 'object') return []
    return 'made' in ref ? ref.made : ref.listed
  })
}

/** Whose a step is. */
export function tenantsOf(step: Step): Tenant[] {
  if (step.kind === 'end' || step.kind === 'state') return [step.tenant]
  return callsOf(step).map(({ tenant }) => tenant)
}
export const isOf = (tenant: Tenant | undefined) => (step: Step) =>
  tenantsOf(step).some((one) => one === tenant)

const isChange = ({ operation }: CallStep) => routeOf(operation).method !== 'GET'
export const changes = (step: Step) =>
  step.kind === 'state' || step.kind === 'end' || callsOf(step).some(isChange)
/** Whether a step sets the balance, or makes paid work fail. */
export const isBalance = (step: Step) => step.kind === 'state' && step.state === 'credits'
export const makesFail = (step: Step) => step.kind === 'state' && step.state.endsWith('_fails')
export const isPaid = (step: Step) => callsOf(step).some(({ operation }) => routeOf(operation).cost > 0)

/** What steps are about: their effects meet there. */
type Subject = 'credits' | 'tasks' | 'documents' | 'keys' | 'notifications' | 'pages' | undefined

const subjectOf: Partial<Record<OperationId, Subject>> = {
  runTask: 'credits',
  generateCreative: 'credits',
  createTask: 'tasks',
  listTasks: 'tasks',
  createDocument: 'documents',
  listDocuments: 'documents',
  createKey: 'keys',
  deleteKey: 'keys',
  readNotification: 'notifications',
  listNotifications: 'notifications',
  createLandingPage: 'pages',
  listLandingPages: 'pages',
}

/** The subjects of a step. */
export function subjectsOf(step: Step): Subject[] {
  if (step.kind === 'state') return [step.state === 'unread_notification' ? 'notifications' : 'credits']
  if (step.kind === 'end') return ['credits']
  return callsOf(step).map(({ operation }) => subjectOf[operation])
}

/** Requests that steps will send, about. */
export function costOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'end' ? 1 : callsOf(step).length), 0)
}

/** ms that a request takes, and a run, about. */
export const usual = { request: 4, run: 150 } as const

/** ms that steps will take, about. */
export function durationOf(steps: readonly Step[]): number {
  const each = (step: Step) =>
    step.kind === 'wait' ? step.ms : step.kind === 'end' ? usual.run : usual.request * callsOf(step).length
  return steps.reduce((sum, step) => sum + each(step), 0)
}

/** Who pays for each paid request of the steps. */
export function payersOf(steps: readonly Step[]): Tenant[] {
  const paid = steps.flatMap(callsOf).filter(({ operation }) => routeOf(operation).cost > 0)
  return paid.map(({ tenant }) => tenant)
}

/** Who runs each task that the steps run. */
export const runnersOf = (steps: readonly Step[]): Tenant[] =>
  steps.flatMap(callsOf).flatMap(({ operation, tenant }) => (operation === 'runTask' ? tenant : []))
