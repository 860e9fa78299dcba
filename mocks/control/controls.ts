/** What control routes do, in process: the same words for a whole mock and for one organization in it. */

import type { ClientReport } from '#client-tests/client-report.ts'
import type { ReportOptions } from '#client-tests/traffic.ts'
import type { Organization } from '../core/organization.ts'
import { checkRule, parseRule } from '../faults/grammar.ts'
import type { RuleDraft, RuleReport } from '../faults/rule.ts'
import { journalOf, type MockJournal } from '../journal/api.ts'
import { JournalReader } from '../journal/reader.ts'
import type { Service } from '../pipeline/service.ts'
import { reportOf } from './client-report.ts'
import { type LedgerView, viewLedger } from './ledger-view.ts'
import { clockOf, type MockClock } from './mock-clock.ts'
import { type Part, parts, reset } from './reset.ts'
import { type MockScenarios, scenariosOf } from './scenarios.ts'
import { restoreSnapshot } from './snapshot/restore.ts'
import type { Snapshot } from './snapshot/snapshot.ts'
import { takeSnapshot } from './snapshot/take.ts'

/** Control of a mock, or of one organization in it: nothing of it touches any other. */
export interface Controls {
  /** Mock time. */
  readonly clock: MockClock
  /** Fault rules: `add` a rule as a line of the `--fault` grammar or as data, `list`, `remove`, `reset`. */
  readonly faults: MockFaults
  /** What was asked, and how it was answered; secrets are taken out. */
  readonly journal: MockJournal
  /** Situations that a client should cope with: `list` them, or `start` one. */
  readonly scenarios: MockScenarios
  /** How the clients have behaved so far, rule by rule. */
  report(options?: ReportOptions): ClientReport
  /** Who reserved, got back and was given what: one ledger for each organization. */
  ledgers(): LedgerView[]
  /** Everything that decides about later answers, as JSON. It holds the secrets of keys. */
  snapshot(): Snapshot
  /** Goes back to a snapshot, of this mock or of another. @throws BadSnapshot, and then nothing has changed. */
  restore(snapshot: Snapshot): void
  /** Back to how it began: all of it, or these parts. */
  reset(...parts: Part[]): void
}

/** One organization, by its name. */
export interface OrganizationControls extends Controls {
  /** What `whoami` reports. */
  readonly id: string
  /** Makes exactly that many credits spendable. */
  setCredits(credits: number): void
  /** Adds credits; negative: takes them away, down to none. */
  addCredits(credits: number): void
  /** Adds an unread notification; answers its id. */
  notify(title: string, body: string): string
}

/** Fault rules by hand. */
export interface MockFaults {
  /** Adds a rule such as `runTask=rate_limited,unavailable,ok`. @throws TypeError that says what is wrong with it. */
  add(rule: string | RuleDraft): RuleReport
  list(): RuleReport[]
  /** False where there is no rule of that id. */
  remove(id: string): boolean
  reset(): void
}

/** Control of the whole mock, or of the organization that is looked up each time. */
export function controlsOf(
  service: Service,
  organization: () => Organization | undefined = () => undefined,
): Controls {
  const org_id = () => organization()?.id
  const reader = new JournalReader(service.journal, org_id, service.settings.keysOnly)
  const everybody = () => {
    const org = organization()
    return org ? [org] : service.tenants.organizations()
  }
  return {
    clock: clockOf(service, organization),
    faults: faultsOf(service, org_id),
    journal: journalOf(reader),
    scenarios: scenariosOf(service, () => {
      const org = organization()
      return org && service.tenants.nameOf(org)
    }),
    report: (options) => reportOf(service, organization(), options),
    ledgers: () => everybody().map(viewLedger),
    snapshot: () => structuredClone(takeSnapshot(service, organization())),
    restore: (snapshot) => restoreSnapshot(service, structuredClone(snapshot), organization()),
    reset: (...wanted) => reset(service, wanted.length > 0 ? wanted : parts, organization()),
  }
}

/** Control of the organization of a name, which is made when it is first asked for. */
export function organizationControls(service: Service, name: string): OrganizationControls {
  const organization = () => service.tenants.organization(name)
  /** Lets happen what is due before something is changed. */
  const change = <T>(act: (org: Organization, now: number) => T): T => {
    const org = organization()
    const now = org.clock.now()
    org.settle(now)
    return act(org, now)
  }
  return {
    ...controlsOf(service, organization),
    get id() {
      return organization().id
    },
    setCredits: (credits: number) => change((org, now) => org.ledger.setBalance(credits, now)),
    addCredits: (credits: number) => change((org, now) => org.ledger.topUp(credits, now)),
    notify: (title: string, body: string) =>
      change((org, now) => org.notify('notice', title, body, null, now).id),
  }
}

function faultsOf({ faults }: Service, org_id: () => string | undefined): MockFaults {
  return {
    add(rule) {
      const draft = typeof rule === 'string' ? parseRule(rule) : rule
      const problem = typeof draft === 'string' ? draft : checkRule(draft)
      if (typeof draft === 'string' || problem !== undefined) throw new TypeError(`A fault rule ${problem}`)
      return faults.add({ ...draft, org_id: org_id() ?? draft.org_id })
    },
    list: () => faults.list(org_id()),
    remove: (id) => faults.remove(id, org_id()),
    reset: () => faults.reset(org_id()),
  }
}
