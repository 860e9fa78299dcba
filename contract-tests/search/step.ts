/** Steps of the search. References name the creating step, so that steps can be replayed elsewhere. */

import { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { providerStates } from '#contract/provider-state.ts'
import { makesPaidWorkFail } from '../model/event.ts'

/** The two organizations. */
const tenant = z.enum(['main', 'other'])
/** The organization that a step is sent to: the main or the other one. */
export type StepTenant = z.output<typeof tenant>

/** Id of a step, which later steps refer to. */
const stepId = z.int()
const createdBy = z.strictObject({ createdBy: stepId })
/** A resource by its creating step, or by its position in a list that a step read. */
const ref = z.union([createdBy, z.strictObject({ listed: stepId, nth: z.int().min(0), unread: z.boolean() })])
/** A reference to a resource that another step has created or listed. */
export type ResourceRef = Readonly<z.output<typeof ref>>

/** Value of `:id` in a path: a reference or a literal id. */
const resource = z.union([ref, z.string()])

/** Credential of a request; a created key is named by its creating step. */
const credential = z.union([z.enum(['key', 'session', 'none', 'invalid']), createdBy])
/** The credential of a step: the key or session of the operator, a created key, an invalid one, or none. */
export type StepCredential = z.output<typeof credential>

/** A request. `{tag}` in texts is replaced by a tag of the case or replay. */
const call = z.strictObject({
  ...{ kind: z.literal('call'), stepId, tenant, credential, operation: z.enum(operationIds) },
  target: resource.optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** Sent as JSON; a string is sent as it is. */
  body: z.unknown().optional(),
})
/** A step that sends one request. */
export type CallStep = Readonly<z.output<typeof call>>

/** Several requests at once. */
const burst = z.strictObject({ kind: z.literal('burst'), stepId, calls: z.array(call).readonly() })

/** Waits for the run of a task to end, if one was accepted. */
const awaitRun = z.strictObject({ kind: z.literal('awaitRun'), stepId, tenant, target: resource })
/** A step that polls a task until its run ends. */
export type AwaitRunStep = Readonly<z.output<typeof awaitRun>>

/** Sets up a provider state. */
const state = z.strictObject({
  ...{ kind: z.literal('state'), stepId, tenant, state: z.enum(providerStates) },
  params: z.record(z.string(), z.unknown()).readonly(),
})
/** A step that sets up a provider state. */
export type ProviderStateStep = Readonly<z.output<typeof state>>

const wait = z.strictObject({ kind: z.literal('wait'), stepId, ms: z.number().min(0).max(600_000) })

/** Schema of a step, also in files of findings. */
export const stepSchema = z.discriminatedUnion('kind', [call, burst, awaitRun, state, wait])
/** One step of a test sequence: a request, a burst, a wait, or a provider state. */
export type Step = Readonly<z.output<typeof stepSchema>>

/** The requests of a step, without the polls of `awaitRun`. */
export function requestsOfStep(step: Step): readonly CallStep[] {
  if (step.kind === 'burst') return step.calls
  return step.kind === 'call' ? [step] : []
}

/** The id of the step that created a resource; undefined for list items and literal ids. */
export const creatingStepIdOf = (ref: ResourceRef | string | undefined): number | undefined =>
  typeof ref === 'object' && 'createdBy' in ref ? ref.createdBy : undefined

/** Ids of the steps that a step refers to. */
export function referencedStepIds(step: Step): number[] {
  const refs = [
    ...requestsOfStep(step).flatMap(({ target, credential }) => [target, credential]),
    ...(step.kind === 'awaitRun' ? [step.target] : []),
  ]
  return refs.flatMap((ref) => {
    if (typeof ref !== 'object') return []
    return 'createdBy' in ref ? ref.createdBy : ref.listed
  })
}

/** The organizations that a step involves. */
export function tenantsOfStep(step: Step): StepTenant[] {
  if (step.kind === 'awaitRun' || step.kind === 'state') return [step.tenant]
  return requestsOfStep(step).map(({ tenant }) => tenant)
}
/** A predicate of steps: true if a step involves this organization. */
export const involvesTenant = (tenant: StepTenant | undefined) => (step: Step) =>
  tenantsOfStep(step).some((one) => one === tenant)

const isChange = ({ operation }: CallStep) => routeOf(operation).method !== 'GET'
/** True if the service may answer differently after a step. */
export const mayChangeServiceState = (step: Step) =>
  step.kind === 'state' || step.kind === 'awaitRun' || requestsOfStep(step).some(isChange)
/** True if a step sets the balance. */
export const setsCredits = (step: Step) => step.kind === 'state' && step.state === 'credits'
/** True if a step makes a run or a generation fail. */
export const arrangesFailure = (step: Step) => step.kind === 'state' && makesPaidWorkFail(step.state)
/** True if a step contains a paid request. */
export const costsCredits = (step: Step) =>
  requestsOfStep(step).some(({ operation }) => routeOf(operation).cost > 0)

/** Subject of a step: steps on the same subject can affect each other. */
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

/** What a step is about: kinds of resources, keys or credits. */
export function subjectsOfStep(step: Step): Subject[] {
  if (step.kind === 'state') return [step.state === 'unread_notification' ? 'notifications' : 'credits']
  if (step.kind === 'awaitRun') return ['credits']
  return requestsOfStep(step).map(({ operation }) => subjectOf[operation])
}

/** An estimate of how many requests the steps send. */
export function estimatedRequestCountOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'awaitRun' ? 1 : requestsOfStep(step).length), 0)
}

/** The typical durations of a request and of a run, ms. */
export const typicalDurationsMs = { request: 4, run: 150 } as const

/** The estimated duration of steps, ms. */
export function estimatedMsOf(steps: readonly Step[]): number {
  const each = (step: Step) =>
    step.kind === 'wait'
      ? step.ms
      : step.kind === 'awaitRun'
        ? typicalDurationsMs.run
        : typicalDurationsMs.request * requestsOfStep(step).length
  return steps.reduce((sum, step) => sum + each(step), 0)
}

/** The paying organization of each paid request of the steps, in their order. */
export function payerOfEachPaidRequest(steps: readonly Step[]): StepTenant[] {
  const paid = steps.flatMap(requestsOfStep).filter(({ operation }) => routeOf(operation).cost > 0)
  return paid.map(({ tenant }) => tenant)
}

/** The organization of each run that steps request. */
export const runTenantsOf = (steps: readonly Step[]): StepTenant[] =>
  steps.flatMap(requestsOfStep).flatMap(({ operation, tenant }) => (operation === 'runTask' ? tenant : []))
