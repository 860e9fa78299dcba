/** Reports: each client live, failures first, and reports from files. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ClientReport } from '#client-tests/client-report.ts'
import { type Report, readClientReport } from '../../model/report.ts'
import { Card } from '../../parts/card.tsx'
import { Choice } from '../../parts/form.tsx'
import { change, param } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { keepLoaded } from '../../state/changes.ts'
import { organization } from '../../state/overview.ts'
import { ReportFiles } from './files.tsx'
import { ReportCard } from './report.tsx'

/** The view. */
export function ReportsView() {
  const report = useSignal<Report | undefined>(undefined)
  const org_id = param('only') === 'all' ? undefined : organization.value?.org_id
  useEffect(
    () =>
      keepLoaded(
        () => control<ClientReport>('GET /report', { query: { org_id, format: 'json' } }),
        (answer) => {
          if (answer) report.value = readClientReport(answer)
        },
        { pause: 2_000 },
      ),
    [org_id],
  )
  return (
    <>
      <ReportFiles />
      <Card
        title="Your client, live"
        aside={
          <Choice
            label="Of"
            value={param('only')}
            options={[
              ['', organization.value?.key_name ?? 'no organization'],
              ['all', 'all organizations'],
            ]}
            onPick={(only) => change({ only })}
          />
        }
      >
        {report.value ? <ReportCard report={report.value} /> : <p class="empty">Loading …</p>}
      </Card>
    </>
  )
}
