/** Creates client reports from the journal of a mock: for one organization, or for all. */
import { z } from 'zod'
import type { ClientReport } from '#client-tests/client-report.ts'
import type { Subject } from '#client-tests/history.ts'
import type { RunFacts } from '#client-tests/rule.ts'
import { judgeTraffic, type ReportOptions } from '#client-tests/traffic.ts'
import { fields, oneOf } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'

const runFields = {
  killedAfter: z.number().optional(),
  endedAt: z.number().optional(),
  isFlooding: z.boolean().optional(),
  canFinish: z.boolean(),
  isCompared: z.boolean().exactOptional(),
  hasPaidWork: z.boolean().optional(),
  pollsOn: z.boolean().optional(),
  stopsAt: oneOf(operationIds).optional(),
  output: z.string().optional(),
} satisfies Record<keyof RunFacts, z.ZodType>

const reportFields = {
  strict: z.boolean().optional(),
  end: fields({ ok: z.boolean() }).optional(),
  run: fields(runFields).optional(),
  since: z.number().optional(),
  until: z.number().optional(),
  note: z.string().optional(),
  label: z.string().optional(),
} satisfies Record<keyof ReportOptions, z.ZodType>

export const reportInput = fields(reportFields) satisfies z.ZodType<ReportOptions>

type Source = Pick<Service, 'journal' | 'tenants' | 'clock'>

/** Reports on the requests of an organization, or of every client of the mock. */
export function reportOf(source: Source, org?: Organization, options: ReportOptions = {}): ClientReport {
  const { journal, tenants, clock } = source
  return judgeTraffic(
    {
      entries: journal.entries(),
      subjects: (org ? [org] : tenants.organizations()).map(subjectOf),
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
