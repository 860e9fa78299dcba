/** What the search does: steps that name what earlier steps made, so that they can be done again elsewhere. */
import type { OperationId } from '#contract/operation.ts'
import type { StateName } from '../harness/terms.ts'

/** The two organizations. */
export type Tenant = 'main' | 'other'

/** Something by the step that made it, or by its place in a list that a step has read. */
export type Ref =
  | { readonly made: number }
  | { readonly listed: number; readonly nth: number; readonly unread: boolean }

/** What a request authenticates with: a created key by the step that made it. */
export type Credential = 'key' | 'session' | 'none' | 'invalid' | { readonly made: number }

/** A request. Texts may contain `{tag}`, which each case and each replay replaces by a mark of its own. */
export interface CallStep {
  readonly kind: 'call'
  /** The number of the step, to which later ones refer. */
  readonly at: number
  readonly tenant: Tenant
  readonly as: Credential
  readonly operation: OperationId
  /** What the `:id` of the path is, or an id as it is. */
  readonly of?: Ref | string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
}

/** Several requests at once. */
export interface BurstStep {
  readonly kind: 'burst'
  readonly at: number
  readonly calls: readonly CallStep[]
}

/** Waits for the run of a task to end, if one was accepted. */
export interface EndStep {
  readonly kind: 'end'
  readonly at: number
  readonly tenant: Tenant
  readonly of: Ref | string
}

/** Sets up a provider state. */
export interface StateStep {
  readonly kind: 'state'
  readonly at: number
  readonly tenant: Tenant
  readonly state: StateName
  readonly params: Readonly<Record<string, unknown>>
}

interface WaitStep {
  readonly kind: 'wait'
  readonly at: number
  readonly ms: number
}

export type Step = CallStep | BurstStep | EndStep | StateStep | WaitStep

/** The requests of a step; an `end` is one that reads. */
export function callsOf(step: Step): readonly CallStep[] {
  if (step.kind === 'burst') return step.calls
  return step.kind === 'call' ? [step] : []
}

/** The steps that a step refers to. */
export function refersTo(step: Step): number[] {
  const refs = [...callsOf(step).flatMap(({ of, as }) => [of, as]), ...(step.kind === 'end' ? [step.of] : [])]
  return refs.flatMap((ref) => {
    if (typeof ref !== 'object') return []
    return 'made' in ref ? ref.made : ref.listed
  })
}
