/** What history defects remember, for each organization apart, and where they look. */
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key, Run, Task } from '#mocks/core/resources.ts'
import type { Mutation } from '../mutations/mutation.ts'

/** A value for each organization (or task, or key), created when it is first asked for. */
export function perOne<T, Of extends object = Organization>(create: () => T): (of: Of) => T {
  const all = new WeakMap<Of, T>()
  return (of) => {
    const known = all.get(of) ?? create()
    all.set(of, known)
    return known
  }
}

/** Whether this is every n-th time for an organization (or task, or key). */
export function everyNth<Of extends object = Organization>(n: number): (of: Of) => boolean {
  const count = perOne<{ n: number }, Of>(() => ({ n: 0 }))
  return (of) => ++count(of).n % n === 0
}

/** Stands between the end of a run and its effects; `usual` has them happen. */
export function onEnd(effect: (org: Organization, run: Run, usual: () => void) => void): Mutation {
  return {
    onOrganization(org) {
      const end = org.endRun.bind(org)
      org.endRun = (run) => effect(org, run, () => end(run))
    },
  }
}

/** Takes credits away, at the end of a run. */
export function charge(org: Organization, run: Run, credits = 1): void {
  org.ledger.topUp(-credits, run.ends_at ?? run.accepted_at)
}

/** Whether a request for a run was accepted, at once or behind a busy agent. */
export const isTaken = (outcome: object) => !(outcome instanceof Failure) || outcome.name === 'busy'

export const isLiving = ({ deleted }: Key) => !deleted

/** Keys created through the API, newest first; the first key of an organization is not one of them. */
export const made = (org: Organization) => org.keys.newest(Infinity).slice(0, -1)

/** Tasks that have been created through the API, newest first. */
export const tasksOf = (org: Organization): Task[] => org.tasks.newest(Infinity)
