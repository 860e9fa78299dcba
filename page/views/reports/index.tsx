/** Reports: each client live, and reports from files, as the mock renders them; failures first. */
import { signal } from '@preact/signals-core'
import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { Card } from '../../parts/card.tsx'
import { Choice, Search } from '../../parts/form.tsx'
import { loadDocument, Rendered } from '../../parts/rendered.tsx'
import { change, param } from '../../state/address.ts'
import { keepLoaded } from '../../state/changes.ts'
import { attempt } from '../../state/notices.ts'
import { organization } from '../../state/overview.ts'

/** A report from a file. */
interface Opened {
  readonly name: string
  readonly text: string
  readonly document: Document
}

/** The reports that are open, the newest first. */
const opened = signal<readonly Opened[]>([])
/** Where their texts outlast a reload. */
const kept = 'reports'

/** Changes which reports are open. */
function keep(all: readonly Opened[]): void {
  opened.value = all
  try {
    sessionStorage.setItem(kept, JSON.stringify(all.map(({ name, text }) => [name, text])))
  } catch {
    // Too long for the storage: these do not outlast a reload.
    sessionStorage.removeItem(kept)
  }
}

const openText = (name: string, text: string) =>
  attempt(`Open ${name}`, async () => {
    const document = await loadDocument('/render', {}, { text, as: 'report' })
    keep([{ name, text, document }, ...opened.peek().filter((one) => one.name !== name)])
  })

async function openFiles(files: FileList | null | undefined): Promise<void> {
  for (const file of files ?? []) await openText(file.name, await file.text())
}

async function reopen(): Promise<void> {
  const texts = JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, string][]
  if (opened.peek().length === 0) for (const [name, text] of texts.reverse()) await openText(name, text)
}

const drop = (event: DragEvent) => {
  event.preventDefault()
  void openFiles(event.dataTransfer?.files)
}
const over = (event: DragEvent) => event.preventDefault()

/** The view. Files can be dropped anywhere on it. */
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
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
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
          aside={
            <button
              type="button"
              class="small"
              aria-label={`Close ${name}`}
              onClick={() => keep(opened.value.filter((one) => one.name !== name))}
            >
              Close
            </button>
          }
        >
          <Rendered document={document} search={param('q')} />
        </Card>
      ))}
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
        {live.value ? <Rendered document={live.value} search={param('q')} /> : <p class="empty">Loading …</p>}
      </Card>
    </>
  )
}
