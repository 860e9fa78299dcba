/** Mutations of organizations: what happens as their time passes, and what a service knows of all of them. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { LedgerEntry, Run } from '#mocks/core/resources.ts'
import { createTask } from '#mocks/core/tasks.ts'
import { combineMutations, type Mutation } from './mutation.ts'
import { answerProviderStateRequests, rewriteAnswers } from './reply.ts'

/** Creates a mutation that knows all organizations used so far: `mutate` gets the set of them, which grows. */
export function withKnownOrganizations(mutate: (known: ReadonlySet<Organization>) => Mutation): Mutation {
  const known = new Set<Organization>()
  return combineMutations({ onOrganization: (org) => void known.add(org) }, mutate(known))
}

/**
 * Creates a mutation that can tell organizations apart: `mutate` gets a predicate that is true of every organization
 * but the first one used.
 */
export const withOtherOrganizationPredicate = (
  mutate: (isElsewhere: (org: Organization) => boolean) => Mutation,
): Mutation =>
  withKnownOrganizations((known) =>
    mutate((org) => {
      const [first] = known
      return first !== undefined && org !== first
    }),
  )

/** Creates a mutation that replaces a method of each organization, or of a part of it; `usual`: the original method. */
export function overrideMethod<Owner extends object, Name extends keyof Owner>(
  of: (org: Organization) => Owner,
  name: Name,
  change: (usual: Owner[Name], org: Organization) => Owner[Name],
): Mutation {
  return {
    onOrganization(org) {
      const owner = of(org)
      const usual = owner[name] as () => unknown
      owner[name] = change(usual.bind(owner) as Owner[Name], org)
    },
  }
}

/** Returns the organization itself, for overriding one of its own methods with `overrideMethod`. */
export const wholeOrganization = (org: Organization) => org
const ledger = (org: Organization) => org.ledger

/**
 * Creates a mutation that calls `effect` each time an organization has been settled, that is, after run ends and
 * refunds that were due. `now`: ms since the epoch.
 */
export const callAfterSettling = (effect: (org: Organization, now: number) => void): Mutation =>
  overrideMethod(wholeOrganization, 'settle', (settle, org) => (now) => {
    settle(now)
    effect(org, now)
  })

/** Creates a mutation that calls `effect` when a run has ended. */
export const callAfterRunEnd = (effect: (org: Organization, run: Run, at: number) => void): Mutation =>
  overrideMethod(wholeOrganization, 'endRun', (endRun, org) => (run) => {
    endRun(run)
    effect(org, run, run.ends_at ?? run.accepted_at)
  })

/** Creates a mutation that replaces the refund of failed runs. */
export const overrideRefund = (
  refund: (usual: (at: number) => void, org: Organization, at: number) => void,
): Mutation =>
  overrideMethod(ledger, 'refund', (usual, org) => (entry, at) => {
    if (!entry.subject?.startsWith('run')) return usual(entry, at)
    refund((then) => usual(entry, then), org, at)
  })

/** Creates a mutation that refunds failed runs only for organizations of which `isMeant` is true. */
export const refundOnlyIf = (isMeant: (org: Organization) => boolean): Mutation =>
  overrideRefund((usual, org, at) => {
    if (isMeant(org)) usual(at)
  })

/** Creates a mutation that refunds failed runs `delay` ms late. */
export const delayRefunds = (delay: number): Mutation =>
  withDelayedEffects((arrange) =>
    overrideRefund((usual, org, at) => arrange(org, at + delay, () => usual(at + delay))),
  )

/**
 * Creates a mutation that replaces the reservation of a credit for runs or generations; `reserve` returns undefined to
 * refuse.
 */
export const overrideReservation = (
  kind: 'run' | 'artifact',
  reserve: (
    entry: LedgerEntry | undefined,
    org: Organization,
    at: number,
    subject: string,
  ) => LedgerEntry | undefined,
): Mutation =>
  overrideMethod(ledger, 'reserve', (usual, org) => (subject, at) => {
    const entry = usual(subject, at)
    return subject.startsWith(kind) ? reserve(entry, org, at, subject) : entry
  })

/**
 * Creates a mutation by which a waiting run reserves its credit when it starts. `isCovered`: returns whether another
 * run is accepted in addition to those that wait.
 */
export function reserveAtStart(isCovered: (org: Organization, waiting: number) => boolean): Mutation {
  const waiting = new Map<Run, Organization>()
  const waitingOf = (org: Organization) => [...waiting].filter(([, owner]) => owner === org)
  return combineMutations(
    callAfterSettling((org, now) => {
      for (const [run] of waitingOf(org))
        if (run.started_at !== null && waiting.delete(run)) org.ledger.topUp(-1, now)
    }),
    {
      onOrganization(org) {
        const reserve = org.ledger.reserve.bind(org.ledger)
        org.ledger.reserve = (...given) =>
          isCovered(org, waitingOf(org).length) ? reserve(...given) : undefined
        const accept = org.agent.accept.bind(org.agent)
        org.agent.accept = (run, now) => {
          accept(run, now)
          if (run.started_at !== null) return
          waiting.set(run, org)
          org.ledger.topUp(1, now)
        }
      },
    },
  )
}

/** Creates a mutation that assigns other ids to new rows of one kind. */
export const overrideNewIds = (
  kind: string,
  ids: (org: Organization, usual: () => string) => () => string,
): Mutation =>
  overrideMethod(wholeOrganization, 'newId', (usual, org) => {
    const other = ids(org, () => usual(kind))
    return (wanted) => (wanted === kind ? other() : usual(wanted))
  })

/** Arranges an effect at a time of an organization, ms since the epoch. */
type Arrange = (org: Organization, at: number, effect: (now: number) => void) => void

/**
 * Creates a mutation that can act later: `mutate` gets a function that schedules effects at a time of an organization.
 */
export function withDelayedEffects(mutate: (arrange: Arrange) => Mutation): Mutation {
  const due: Parameters<Arrange>[] = []
  return combineMutations(
    callAfterSettling((org, now) => {
      for (const one of due.splice(0)) {
        const [owner, at, effect] = one
        if (owner === org && at <= now) effect(now)
        else due.push(one)
      }
    }),
    mutate((...one) => void due.push(one)),
  )
}

/**
 * Creates a mutation that calls `effect` on every organization when a request of an operation is refused with one of
 * the statuses.
 */
export function changeOrganizationsOnRefusal(
  operation: OperationId,
  statuses: readonly number[],
  effect: (org: Organization, now: number, request: { path: string; body: string }) => void,
): Mutation {
  return withKnownOrganizations((known) =>
    rewriteAnswers(({ status }, { request, mock, sent }) => {
      const { pathname: path } = new URL(request.url)
      if (statuses.includes(status))
        for (const org of known) effect(org, mock.clock.now(), { path, body: sent })
    }, operation),
  )
}

/**
 * Creates a mutation by which an agent that a provider state keeps busy gets a task for that work, which the list of
 * tasks shows.
 */
export const showTaskOfBusyAgent = (): Mutation =>
  withKnownOrganizations((known) =>
    answerProviderStateRequests(({ state, action, params }) => {
      const isMeant = ({ id }: Organization) => id === params?.org_id
      if (state === 'agent_busy' && action === 'setup')
        for (const org of [...known].filter(isMeant)) createTask(org, 'Other work', org.clock.now())
      return undefined
    }),
  )

/** Creates a document in an organization, with a title and nothing else, without a request. */
export function createDocumentDirectly(org: Organization, title: string, created_at: number): void {
  const empty = { kind: null, content_md: null, summary: null, folder_id: null }
  org.documents.append({ id: org.newId('document'), title, created_at, ...empty })
}
