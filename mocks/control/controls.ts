/** The in-process API of the control routes, for a whole mock and for one organization; and client reports. */
import { z } from 'zod'
import type { ClientReport } from '#client-tests/client-report.ts'
import type { JudgedOrganization } from '#client-tests/history.ts'
import { type JudgeTrafficOptions, judgeTraffic, reportOptionsSchema } from '#client-tests/traffic.ts'
import {
  createOneOfSchema,
  endWithFullStop,
  formatValueForMessage,
  parseOrThrow,
} from '#contract/input/checked.ts'
import { maxCreditChange } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import type { Run } from '../core/resources.ts'
import {
  type FaultRuleInput,
  type FaultRuleText,
  ruleDraftOfInput,
  ruleInputSchema,
} from '../faults/grammar.ts'
import type { FaultRuleWithCounts } from '../faults/rule.ts'
import { viewDocument, viewNotification, viewTask } from '../handlers/views.ts'
import { createJournalMethods, createJournalReader, type JournalMethods } from '../journal/reader.ts'
import type { MockParts } from '../pipeline/service.ts'
import { createClockControls } from './clock.ts'
import { type LedgerView, viewLedger } from './overview.ts'
import {
  type ChangeableOptions,
  changeOptionsForTest,
  createScenarioControls,
  type ResettablePart,
  resetParts,
  resettableParts,
  type ScenarioControls,
} from './settings.ts'
import { applySnapshot, type Snapshot, takeSnapshot, validateSnapshot } from './snapshot.ts'

/**
 * Creates the methods by which tests control a mock, or one organization, which `organization` looks up at each call.
 * The casts name types of other modules, since inferred types would be published without their comments.
 */
export function createControls(
  service: MockParts,
  organization: () => Organization | undefined = () => undefined,
) {
  const org_id = () => organization()?.id
  return {
    /** Mock time. */
    clock: createClockControls(service, organization),
    /** Fault rules. */
    faults: faultsOf(service, org_id),
    /** Requests and responses, with secrets redacted. */
    journal: createJournalMethods(createJournalReader(service, org_id)) as JournalMethods,
    /** Situations that clients should handle. */
    scenarios: createScenarioControls(service, organization) as ScenarioControls,
    /** Returns the client report so far: the outcome of each rule. */
    report: (options: JudgeTrafficOptions = {}): ClientReport =>
      clientReportOf(service, organization(), parseOrThrow('report', reportOptionsSchema, options)),
    /** Returns the ledger of each organization. */
    ledgers: (): LedgerView[] => service.tenants.organizations(organization()).map(viewLedger),
    /** Returns the state that determines later responses, as JSON. It contains the secrets of keys. */
    snapshot: (): Snapshot => structuredClone(takeSnapshot(service, organization())),
    /** Restores a snapshot of this or another mock. @throws InvalidSnapshot without any change if it is invalid. */
    restore: (snapshot: Snapshot): void =>
      applySnapshot(service, structuredClone(validateSnapshot(snapshot)), organization()),
    /**
     * Changes options until a reset, such as `{ runOutcome: 'failed' }`; existing resources stay. @throws TypeError
     * without any change for an option that is invalid or only says how a mock starts.
     */
    configure: (options: ChangeableOptions): void => changeOptionsForTest(service, organization(), options),
    /** Restores the initial state, or only some parts of it. */
    reset: (...wanted: ResettablePart[]): void => {
      const parts = parseOrThrow('reset', z.array(createOneOfSchema(resettableParts)), wanted)
      resetParts(service, parts.length > 0 ? parts : resettableParts, organization())
    },
  }
}
/** The methods by which tests control a mock, or one organization without affecting others. */
export type Controls = Readonly<ReturnType<typeof createControls>>

/** The methods that change one organization, which is looked up on each call. */
function changesOf(organization: () => Organization) {
  /** Applies due events before a change. */
  const change = <T>(act: (org: Organization, now: number) => T): T => {
    const org = organization()
    return act(org, org.settled())
  }
  return {
    /** Sets the spendable credits. @throws TypeError unless they are a number, 0 or more. */
    setCredits(credits: number): void {
      if (!isCredits(credits) || credits < 0) throw wrongCredits('setCredits', credits, ', 0 or more')
      change((org, now) => org.ledger.setBalance(credits, now))
    },
    /** Adds credits; a negative number removes them, down to zero. @throws TypeError unless they are a number. */
    addCredits(credits: number): void {
      if (!isCredits(credits)) throw wrongCredits('addCredits', credits, '; negative to remove them')
      change((org, now) => org.ledger.topUp(credits, now))
    },
    /** Adds an unread notification and returns its id. */
    notify(title: string, body: string): string {
      parseOrThrow('notify', z.object({ title: z.string(), body: z.string() }), { title, body })
      return change((org, now) => org.notify('notice', title, body, null, now).id)
    },
    /**
     * Returns tasks, documents and notifications that were added or changed after a position from an earlier call; all
     * of them without a position, or if it is too old or from before a reset. Rows are in the order of their creation.
     */
    changed: (since?: number) =>
      changedRows(organization(), parseOrThrow('changed', z.number().optional(), since)),
  }
}

/** The methods by which tests control one organization. */
export interface OrganizationControls extends Controls, Readonly<ReturnType<typeof changesOf>> {
  /** The id of the organization, as `whoami` reports it. */
  readonly id: string
}

/** Creates the controls of the organization with a name; their first use creates the organization. */
export function createOrganizationControls(service: MockParts, name: string): OrganizationControls {
  const organization = () => service.tenants.organization(name)
  return {
    ...createControls(service, organization),
    ...changesOf(organization),
    get id() {
      return organization().id
    },
  }
}

const isCredits = (given: unknown) => typeof given === 'number' && Math.abs(given) <= maxCreditChange

const wrongCredits = (method: string, given: unknown, limits: string) =>
  new TypeError(
    `${method} takes a number of credits, such as ${method}(25)${limits}; not ${formatValueForMessage(given)}.`,
  )

function faultsOf({ faults, tenants }: MockParts, org_id: () => string | undefined) {
  return {
    /**
     * Adds a rule: as text such as `runTask=rate_limited,unavailable,ok`, as data whose faults are such words, as
     * `POST /__admin/faults` takes it, or as a draft. @throws TypeError if it is invalid.
     */
    add(rule: FaultRuleText | FaultRuleInput): FaultRuleWithCounts {
      const draft = ruleDraftOfInput(parseOrThrow('faults.add', ruleInputSchema, rule))
      if (typeof draft === 'string') throw new TypeError(`A fault rule ${endWithFullStop(draft)}`)
      if (draft.org_id !== undefined && !tenants.byId(draft.org_id))
        throw new TypeError('faults.add: org_id: no such organization; use mock.organization(name).faults.')
      return faults.add({ ...draft, org_id: org_id() ?? draft.org_id })
    },
    /** Returns all rules with their counts. */
    list: (): FaultRuleWithCounts[] => faults.list(org_id()),
    /** Removes a rule; returns false if there is none with that id. */
    remove: (id: string): boolean => faults.remove(parseOrThrow('faults.remove', z.string(), id), org_id()),
    /** Restores the initial rules. */
    reset: (): void => faults.reset(org_id()),
  }
}

/** Returns the rows that were added or changed after a position; all rows without one, or if it is no longer known. */
function changedRows(org: Organization, since?: number) {
  org.settled()
  const { position } = org.changes
  const changes = since === undefined || since > position ? undefined : org.changes.after(since)
  const changed = new Set(
    changes?.map(({ resource, row }) => (resource === 'runs' ? org.tasks.get((row as Run).task_id) : row)),
  )
  const rows = <Row extends object>(all: readonly Row[]) =>
    changes ? (changed.size === 0 ? [] : all.filter((row) => changed.has(row))) : all
  return {
    /** The position to pass to the next call. */
    position,
    /** True if these are all rows, since what changed after the position is not known, as after a reset. */
    all: !changes,
    tasks: rows(org.tasks.all()).map(viewTask),
    documents: rows(org.documents.all()).map(viewDocument),
    notifications: rows(org.notifications.all()).map(viewNotification),
  }
}

type Source = Pick<MockParts, 'journal' | 'tenants' | 'clock'>

/**
 * Judges the recorded requests by the rules for clients, and returns the report: on one organization's requests, or on
 * all of the mock's.
 */
export function clientReportOf(
  source: Source,
  org?: Organization,
  options: JudgeTrafficOptions = {},
): ClientReport {
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

function subjectOf(org: Organization): JudgedOrganization {
  const now = org.settled()
  return {
    org_id: org.id,
    secrets: org.keys.all().map(({ secret }) => secret),
    ledger: org.ledger.entries,
    now,
  }
}
