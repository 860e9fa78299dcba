/** Reports: each client live, and reports from files, as the mock renders them; failures first. */
import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ParamChoice, Search } from '../../parts/form.tsx'
import { loadDocument, Rendered } from '../../parts/rendered.tsx'
import { param } from '../../state/address.ts'
import { keepLoaded } from '../../state/changes.ts'
import { close, opened, openFiles, reopen } from '../../state/files.ts'
import { organization } from '../../state/overview.ts'

export function ReportsView() {
  const live = useSignal<Document | undefined>(undefined)
  const org_id = param('only') === 'all' ? undefined : organization.value?.org_id
  useEffect(
    () =>
      keepLoaded(
        () => loadDocument('/report', { org_id, format: 'html' }),
        (answer) => {
          if (answer) live.value = answer
        },
        { pause: 2_000 },
      ),
    [org_id],
  )
  useEffect(() => {
    void reopen()
  }, [])
  return (
    <>
      <div class="row drop">
        <Search label="Search reports" />
        <label>
          <span>Open reports of verify or check, histories and findings, or drop them here</span>
          <input
            type="file"
            multiple
            accept=".json,.ndjson"
            onChange={(event) => openFiles(event.currentTarget.files)}
          />
        </label>
      </div>
      {opened.value.map(({ name, document }) => (
        <Card
          key={name}
          title={name}
          aside={<Button text="Close" kind="small" label={`Close ${name}`} act={() => close(name)} />}
        >
          <Rendered document={document} search={param('q')} />
        </Card>
      ))}
      <Card
        title="Your client, live"
        aside={
          <ParamChoice
            name="only"
            label="Of"
            options={[
              ['', organization.value?.key_name ?? 'no organization'],
              ['all', 'all organizations'],
            ]}
          />
        }
      >
        {live.value ? <Rendered document={live.value} search={param('q')} /> : <p class="empty">Loading …</p>}
      </Card>
    </>
  )
}
