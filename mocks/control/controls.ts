/** The in-process API of the control routes, for a whole mock and for one organization; and client reports. */
import { z } from 'zod'
import type { ClientReport } from '#client-tests/client-report.ts'
import type { Subject } from '#client-tests/history.ts'
import { judgeTraffic, type ReportOptions, reportOptions } from '#client-tests/traffic.ts'
import { checked, oneOf, sentence } from '#contract/input/checked.ts'
import type { Organization } from '../core/organization.ts'
import type { Run } from '../core/resources.ts'
import { draftFrom, type FaultRuleText, type RuleInput, ruleInput } from '../faults/grammar.ts'
import type { RuleDraft, RuleReport } from '../faults/rule.ts'
import { viewDocument, viewNotification, viewTask } from '../handlers/views.ts'
import { createReader, journalOf, type MockJournal } from '../journal/reader.ts'
import type { Service } from '../pipeline/service.ts'
import { clockOf, type MockClock } from './clock.ts'
import { type LedgerView, viewLedger } from './overview.ts'
import {
  configure,
  type LiveOptions,
  type MockScenarios,
  type ResetPart,
  reset,
  resetParts,
  scenariosOf,
} from './settings.ts'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'

/** Controls of a mock, or of one organization without affecting others. */
export interface Controls {
  /** Mock time. */
  readonly clock: MockClock
  /** Fault rules. */
  readonly faults: MockFaults
  /** Requests and responses, with secrets redacted. */
  readonly journal: MockJournal
  /** Situations that clients should handle. */
  readonly scenarios: MockScenarios
  /** Returns the client report so far: the outcome of each rule. */
  report(options?: ReportOptions): ClientReport
  /** Returns the ledger of each organization. */
  ledgers(): LedgerView[]
  /** Returns the state that determines later responses, as JSON. It contains the secrets of keys. */
  snapshot(): Snapshot
  /** Restores a snapshot of this or another mock. @throws BadSnapshot without any change if it is invalid. */
  restore(snapshot: Snapshot): void
  /**
   * Changes options until a reset, such as `{ runOutcome: 'failed' }`; what there is stays. @throws TypeError without
   * any change for one that is invalid or only says how a mock starts.
   */
  configure(options: LiveOptions): void
  /** Restores the initial state, or only some parts of it. */
  reset(...parts: ResetPart[]): void
}

/** Controls of one organization. */
export interface OrganizationControls extends Controls {
  /** The id of the organization, as `whoami` reports it. */
  readonly id: string
  /** Sets the spendable credits. @throws TypeError unless they are a number, 0 or more. */
  setCredits(credits: number): void
  /** Adds credits; a negative number removes them, down to zero. @throws TypeError unless they are a number. */
  addCredits(credits: number): void
  /** Adds an unread notification and returns its id. */
  notify(title: string, body: string): string
  /**
   * Returns tasks, documents and notifications that were added or changed after a position that an earlier call
   * returned; without one, or if that is too long ago or before a reset: all.
   */
  changed(since?: number): ChangedRows
}

/** Fault rules of a mock, or of one organization. */
export interface MockFaults {
  /**
   * Adds a rule: as text such as `runTask=rate_limited,unavailable,ok`, as data whose faults are such words, as
   * `POST /__admin/faults` takes it, or as a draft. @throws TypeError if it is invalid.
   */
  add(rule: FaultRuleText | RuleInput | RuleDraft): RuleReport
  /** Returns all rules with their counts. */
  list(): RuleReport[]
  /** Removes a rule; returns false if there is none with that id. */
  remove(id: string): boolean
  /** Restores the initial rules. */
  reset(): void
}

/** Creates the controls of the whole mock, or of an organization, which is looked up on each call. */
export function controlsOf(
  service: Service,
  organization: () => Organization | undefined = () => undefined,
): Controls {
  const org_id = () => organization()?.id
  const reader = createReader(service, org_id)
  return {
    clock: clockOf(service, organization),
    faults: faultsOf(service, org_id),
    journal: journalOf(reader),
    scenarios: scenariosOf(service, organization),
    report: (options = {}) => reportOf(service, organization(), checked('report', reportOptions, options)),
    ledgers: () => service.tenants.organizations(organization()).map(viewLedger),
    snapshot: () => structuredClone(takeSnapshot(service, organization())),
    restore: (snapshot) => void restoreSnapshot(service, structuredClone(snapshot), organization()),
    configure: (options) => configure(service, organization(), options),
    reset: (...wanted) => {
      const parts = checked('reset', z.array(oneOf(resetParts)), wanted)
      reset(service, parts.length > 0 ? parts : resetParts, organization())
    },
  }
}

/** Creates the controls of the organization with a name, which is created on first use. */
export function organizationControls(service: Service, name: string): OrganizationControls {
  const organization = () => service.tenants.organization(name)
  /** Applies due events before a change. */
  const change = <T>(act: (org: Organization, now: number) => T): T => {
    const org = organization()
    return act(org, org.settled())
  }
  return {
    ...controlsOf(service, organization),
    get id() {
      return organization().id
    },
    setCredits(credits: number) {
      if (!isCredits(credits) || credits < 0) throw wrongCredits('setCredits', credits, ', 0 or more')
      change((org, now) => org.ledger.setBalance(credits, now))
    },
    addCredits(credits: number) {
      if (!isCredits(credits)) throw wrongCredits('addCredits', credits, '; negative to remove them')
      change((org, now) => org.ledger.topUp(credits, now))
    },
    changed: (since) => changedRows(organization(), checked('changed', z.number().optional(), since)),
    notify(title, body) {
      checked('notify', z.object({ title: z.string(), body: z.string() }), { title, body })
      return change((org, now) => org.notify('notice', title, body, null, now).id)
    },
  }
}

/** The most credits that a control call sets, adds or removes. */
export const mostCredits = 1e12

const isCredits = (given: unknown) => typeof given === 'number' && Math.abs(given) <= mostCredits

const wrongCredits = (method: string, given: unknown, limits: string) =>
  new TypeError(`${method} takes a number of credits, such as ${method}(25)${limits}; not ${String(given)}.`)

function faultsOf({ faults }: Service, org_id: () => string | undefined): MockFaults {
  return {
    add(rule) {
      const draft = draftFrom(checked('faults.add', ruleInput, rule))
      if (typeof draft === 'string') throw new TypeError(`A fault rule ${sentence(draft)}`)
      return faults.add({ ...draft, org_id: org_id() ?? draft.org_id })
    },
    list: () => faults.list(org_id()),
    remove: (id) => faults.remove(checked('faults.remove', z.string(), id), org_id()),
    reset: () => faults.reset(org_id()),
  }
}

/** Rows in the order in which they were created. */
interface ChangedRows {
  /** To pass to the next call. */
  readonly position: number
  /** Whether these are all rows: what changed since is not known, as after a reset. */
  readonly all: boolean
  readonly tasks: readonly ReturnType<typeof viewTask>[]
  readonly documents: readonly ReturnType<typeof viewDocument>[]
  readonly notifications: readonly ReturnType<typeof viewNotification>[]
}

/** Returns the rows that were added or changed after a position; without one, or if it is no longer known: all. */
function changedRows(org: Organization, since?: number): ChangedRows {
  org.settled()
  const { position } = org.changes
  const changes = since === undefined || since > position ? undefined : org.changes.after(since)
  const changed = new Set(
    changes?.map(({ resource, row }) => (resource === 'runs' ? org.tasks.get((row as Run).task_id) : row)),
  )
  const rows = <Row extends object>(all: readonly Row[]) =>
    changes ? (changed.size === 0 ? [] : all.filter((row) => changed.has(row))) : all
  return {
    position,
    all: !changes,
    tasks: rows(org.tasks.all()).map(viewTask),
    documents: rows(org.documents.all()).map(viewDocument),
    notifications: rows(org.notifications.all()).map(viewNotification),
  }
}

type Source = Pick<Service, 'journal' | 'tenants' | 'clock'>

/** Reports on the requests of an organization, or of every client of the mock. */
export function reportOf(source: Source, org?: Organization, options: ReportOptions = {}): ClientReport {
  const { journal, tenants, clock } = source
  return judgeTraffic(
    {
      entries: journal.entries(),
      subjects: tenants.organizations(org).map(subjectOf),
      withStrangers: org === undefined,
      now: clock.now(),
    },
    options,
  )
}

function subjectOf(org: Organization): Subject {
  const now = org.settled()
  return {
    org_id: org.id,
    secrets: org.keys.all().map(({ secret }) => secret),
    ledger: org.ledger.entries,
    now,
  }
}
