/** Reports: each client live, and reports from files, as the mock renders them; failures first. Other files are saved states and recordings. */
import { signal } from '@preact/signals-core'
import { useEffect } from 'preact/hooks'
import { parsed } from '#traffic/json-bounds.ts'
import { useSignal } from '../../draw.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ParamChoice, Search } from '../../parts/form.tsx'
import { loadDocument, Rendered } from '../../parts/rendered.tsx'
import { open, param } from '../../state/address.ts'
import { keepLoaded } from '../../state/changes.ts'
import { offered } from '../../state/moments.ts'
import { attempt } from '../../state/notices.ts'
import { organization } from '../../state/overview.ts'

interface Opened {
  readonly name: string
  readonly text: string
  readonly document: Document
}

/** The reports that are open, the newest first. */
const opened = signal<readonly Opened[]>([])
/** Where their texts outlast a reload. */
const kept = 'reports'

function keep(all: readonly Opened[]): void {
  opened.value = all
  try {
    sessionStorage.setItem(kept, JSON.stringify(all.map(({ name, text }) => [name, text])))
  } catch {
    // Too long for the storage: these do not outlast a reload.
    sessionStorage.removeItem(kept)
  }
}

const close = (name: string): void => keep(opened.value.filter((one) => one.name !== name))

const openReport = (name: string, text: string) =>
  attempt(`Open ${name}`, async () => {
    const document = await loadDocument('/render', {}, { text, as: 'report' })
    keep([{ name, text, document }, ...opened.peek().filter((one) => one.name !== name)])
  })

/** Opens files as what they hold; a report in its view. */
export async function openFiles(files: FileList | null | undefined): Promise<void> {
  for (const file of files ?? []) {
    const text = await file.text()
    const json = Object(parsed(text))
    // A saved state, or a HAR.
    if ('of' in json || 'log' in json) {
      offered.value = json
      open('travel')
    } else if (await openReport(file.name, text)) open('reports')
  }
}

/** Opens the reports again that were open before a reload. */
async function reopen(): Promise<void> {
  const texts = JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, string][]
  if (opened.peek().length === 0) for (const [name, text] of texts.reverse()) await openReport(name, text)
}

/** Lets files be dropped anywhere on the page. */
export function listenToFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    void openFiles(event.dataTransfer?.files)
  })
}

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
          <span>Open reports, histories and findings, or drop them here</span>
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
