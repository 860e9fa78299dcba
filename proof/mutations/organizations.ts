/** Mutations of organizations: what happens as their time passes, and what a service knows of all of them. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { LedgerEntry, Run } from '#mocks/core/resources.ts'
import { combine, type Mutation } from './mutation.ts'

/** A mutation that knows all organizations used so far. */
export function knowing(mutate: (known: ReadonlySet<Organization>) => Mutation): Mutation {
  const known = new Set<Organization>()
  return combine({ onOrganization: (org) => void known.add(org) }, mutate(known))
}

/** Does something whenever an organization was settled up to a time. */
export function onSettle(effect: (org: Organization, now: number) => void): Mutation {
  return {
    onOrganization(org) {
      const settle = org.settle.bind(org)
      org.settle = (now) => {
        settle(now)
        effect(org, now)
      }
    },
  }
}

/** Does something when a run has ended. */
export function onEnd(effect: (org: Organization, run: Run, at: number) => void): Mutation {
  return {
    onOrganization(org) {
      const endRun = org.endRun.bind(org)
      org.endRun = (run) => {
        endRun(run)
        effect(org, run, run.ends_at ?? run.accepted_at)
      }
    },
  }
}

/** Replaces the refund of a run. */
export function refunding(
  refund: (usual: (at: number) => void, org: Organization, at: number) => void,
): Mutation {
  return {
    onOrganization(org) {
      const usual = org.ledger.refund.bind(org.ledger)
      org.ledger.refund = (entry, at) =>
        entry.subject?.startsWith('run') ? refund((then) => usual(entry, then), org, at) : usual(entry, at)
    },
  }
}

/** Replaces what a reservation for a run or a generation takes; undefined: it is refused. */
export function reserving(
  kind: 'run' | 'artifact',
  reserve: (
    entry: LedgerEntry | undefined,
    org: Organization,
    at: number,
    subject: string,
  ) => LedgerEntry | undefined,
): Mutation {
  return {
    onOrganization(org) {
      const usual = org.ledger.reserve.bind(org.ledger)
      org.ledger.reserve = (subject, at) => {
        const entry = usual(subject, at)
        return subject.startsWith(kind) ? reserve(entry, org, at, subject) : entry
      }
    },
  }
}

/** Gives new rows of a kind other ids. */
export function numbering(
  kind: string,
  ids: (org: Organization, usual: () => string) => () => string,
): Mutation {
  return {
    onOrganization(org) {
      const newId = org.newId.bind(org)
      const other = ids(org, () => newId(kind))
      org.newId = (wanted) => (wanted === kind ? other() : newId(wanted))
    },
  }
}

/** Arranges an effect at a time of an organization, ms since the epoch. */
type Arrange = (org: Organization, at: number, effect: (now: number) => void) => void

/** A mutation some of whose effects come later. */
export function delayed(mutate: (arrange: Arrange) => Mutation): Mutation {
  const due: Parameters<Arrange>[] = []
  return combine(
    onSettle((org, now) => {
      for (const one of due.splice(0)) {
        const [owner, at, effect] = one
        if (owner === org && at <= now) effect(now)
        else due.push(one)
      }
    }),
    mutate((...one) => void due.push(one)),
  )
}

/** Does something to every organization when an operation is refused with a status. */
export function onRefusal(
  operation: OperationId,
  statuses: readonly number[],
  effect: (org: Organization, now: number, request: { path: string; body: string }) => void,
): Mutation {
  return knowing((known) => ({
    async middleware(context, next) {
      const body = context.operation === operation ? await context.request.clone().text() : ''
      const response = await next(context.request)
      if (context.operation !== operation || !statuses.includes(response.status)) return response
      const path = new URL(context.request.url).pathname
      for (const org of known) effect(org, context.mock.clock.now(), { path, body })
      return response
    },
  }))
}
