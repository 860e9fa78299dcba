/** What the model objects to, and the shape of its rules. */
import type { OperationId } from '#contract/operation.ts'
import { type Answered, isSuccess } from './event.ts'
import { isSameTrimmed, show } from './matching.ts'
import type { Organization, State } from './state.ts'

/** Whether others could have caused a contradiction; `balance`: only by changing the balance and back. */
export type Others = boolean | 'balance'

/** What a rule says about an answer that cannot be. `because`: earlier events. */
interface Objection {
  readonly expected: string
  readonly actual: string
  readonly because: readonly number[]
  /** The difference, if a number is wrong. */
  readonly delta?: number | undefined
  /** The requirement that is violated by what else is known, in place of that of the rule. */
  readonly cause?: Cause | undefined
}

/** A requirement, and its anchor in docs/specification.md. */
export type Cause = Pick<Rule, 'requirement' | 'anchor'>

/**
 * A contradiction between an answer and all that came before it. `because`: the ids of the events that suffice for it, in
 * order; the last one is the contradicting answer.
 */
export interface ModelViolation
  extends Objection,
    Pick<Rule, 'requirement' | 'anchor' | 'others' | 'once' | 'direct'> {
  readonly kind: 'violation'
  /** The id of the rule that found it. */
  readonly rule: string
}

/** An answer that fits what is known, and what other requirements say. */
interface Fit {
  readonly fits: readonly string[]
}

/** What a rule finds: an objection, `true` where the answer fits what is known, or undefined where it says nothing. */
export type Finding = Objection | Fit | true | undefined

/** One rule: reads what is known and an answer, changes nothing. */
export interface Rule {
  /** Unique; kebab-case. */
  readonly id: string
  /** Id of the requirement that is violated. */
  readonly requirement: string
  /** Anchor of docs/specification.md. */
  readonly anchor: string
  /** The operations whose answers it judges. */
  readonly operations: readonly OperationId[]
  /** Another client of the organization could cause the same: it counts only if it is seen again. */
  readonly others: Others
  /** Nothing but the service explains it: one sight is enough, whether or not it comes again. */
  readonly once: boolean
  /** The answer is wrong whatever else was found: nothing that it could follow from excuses it. */
  readonly direct: boolean
  /** Whose answers it judges: those of an organization, of requests that certainly have no access, or all. */
  readonly asker: 'organization' | 'nobody' | 'anybody'
  /** `org`: what is known of the organization; `event`: a request of it with its answer. */
  judge(org: Organization, event: Answered, state: State): Finding
}

/** Declares a rule: `rule(id, requirement, anchor, operations, traits).judge((org, event, state) => …)`. */
export const rule = (
  id: string,
  requirement: string,
  anchor: string,
  operations: readonly OperationId[],
  traits: Partial<Pick<Rule, 'others' | 'once' | 'direct' | 'asker'>> = {},
) => ({
  judge: (judge: Rule['judge']): Rule => ({
    ...{ others: false, once: false, direct: false, asker: 'organization' },
    ...{ id, requirement, anchor, operations, judge, ...traits },
  }),
})

/** `true` where a fact holds, else an objection. `because`: the events that it rests on, if there are any. */
export const required = (
  fact: boolean,
  expected: string,
  actual: string,
  ...because: readonly (number | undefined)[]
): Finding => fact || { expected, actual, because: because.filter((by) => by !== undefined) }

/** `true` where a text is shown as it was told, but for white space at its ends, or was not told; else an objection. */
export const asTold = (
  shown: unknown,
  told: string | undefined,
  what: string,
  ...because: readonly number[]
): Finding =>
  told === undefined ||
  isSameTrimmed(shown, told) ||
  required(false, `${what}: ${show(told)}`, show(shown), ...because)

/** The first objection to something that an answer shows; else `true` where it is a success. Undefined: nothing to judge. */
export function ofEach<T>(
  shown: readonly T[] | undefined,
  { answer }: Answered,
  judge: (one: T) => Finding,
): Finding {
  for (const one of shown ?? []) {
    const finding = judge(one)
    if (typeof finding === 'object') return finding
  }
  return (shown !== undefined && isSuccess(answer)) || undefined
}
