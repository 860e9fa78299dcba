/** Opens reports from files: by choosing them, or by dropping them on the page. Their content stays in the browser. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Report } from '../../model/report.ts'
import { readReport } from '../../model/report-file.ts'
import { Card } from '../../parts/card.tsx'
import { attempt } from '../../state/notices.ts'
import { ReportCard } from './report.tsx'

interface Opened {
  readonly name: string
  readonly report: Report
}

/** The reports that are open, the newest first. */
const opened = signal<readonly Opened[]>([])

const open = (files: FileList | null | undefined) =>
  attempt('Open the report', async () => {
    for (const file of files ?? []) {
      const report = readReport(await file.text())
      opened.value = [{ name: file.name, report }, ...opened.value]
    }
  })

const drop = (event: DragEvent) => {
  event.preventDefault()
  void open(event.dataTransfer?.files)
}

const over = (event: DragEvent) => event.preventDefault()

/** The field for files, which can also be dropped anywhere on the view, and each open report. */
export function ReportFiles() {
  useEffect(() => {
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])
  return (
    <>
      <div class="drop">
        <label>
          <span>
            Open reports of verify or check, histories and findings: drop the files here, or choose them
          </span>
          <input
            type="file"
            multiple
            accept=".json,.ndjson"
            onChange={(event) => open(event.currentTarget.files)}
          />
        </label>
      </div>
      {opened.value.map(({ name, report }) => (
        <Card
          key={name}
          title={name}
          aside={
            <button
              type="button"
              class="small"
              onClick={() => {
                opened.value = opened.value.filter((one) => one.name !== name)
              }}
            >
              Close
            </button>
          }
        >
          <ReportCard report={report} />
        </Card>
      ))}
    </>
  )
}
