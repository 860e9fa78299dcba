/** Reports: each client live, and reports from files, as the mock renders them; failures first. Other files are saved states and recordings. */
import { signal } from '@preact/signals-core'
import { parseJson } from '#traffic/json-bounds.ts'
import { packingOf } from '#traffic/packing.ts'
import { useEffect, useSignal } from '../../draw.ts'
import { Button } from '../../parts/button.tsx'
import { Card, LoadingText } from '../../parts/card.tsx'
import { AddressParamSelect, SearchField } from '../../parts/form.tsx'
import { loadRenderedDocument, SanitizedDocument } from '../../parts/rendered.tsx'
import { addressParam, openView } from '../../state/address.ts'
import { keepLoaded } from '../../state/changes.ts'
import { openedStateFile } from '../../state/moments.ts'
import { runWithNotice } from '../../state/notices.ts'
import { shownOrganization } from '../../state/overview.ts'

interface Opened {
  readonly name: string
  readonly text: string
  readonly document: Document
}

/** The reports that are open, the newest first. */
const opened = signal<readonly Opened[]>([])
/** Key of the browser's storage, in which the texts of reports outlast a reload. */
const kept = 'reports'

function keep(all: readonly Opened[]): void {
  opened.value = all
  try {
    sessionStorage.setItem(kept, JSON.stringify(all.map(({ name, text }) => [name, text])))
  } catch {
    // Too long for the storage: no text outlasts a reload then.
    sessionStorage.removeItem(kept)
  }
}

const close = (name: string): void => keep(opened.value.filter((one) => one.name !== name))

const openReport = (name: string, text: string, problem = 'no valid JSON; it may be cut off') =>
  runWithNotice(`Open ${name}`, async () => {
    const refusal = parseJson(text) === undefined ? problem : undefined
    const document = await loadRenderedDocument('/render', {}, { text }, refusal)
    keep([{ name, text, document }, ...opened.peek().filter((one) => one.name !== name)])
  })

/** The text of a file, which may be compressed with gzip; or, of one that has none, what is wrong with it. */
async function textOf(file: File): Promise<{ readonly text: string; readonly problem?: string }> {
  if (file.size === 0) return { text: '', problem: 'it is empty' }
  const packing = packingOf(new Uint8Array(await file.slice(0, 5).arrayBuffer()))
  if (packing === undefined) return { text: await file.text() }
  if (packing !== 'gzip') return { text: '', problem: `it is packed with ${packing}: unpack it first` }
  return { text: await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text() }
}

/** Opens each file as a report, a saved state or a recording, whichever it is. */
async function openFiles(files: FileList | null | undefined): Promise<void> {
  for (const file of files ?? []) {
    const { text, problem } = await textOf(file).catch(() => ({ text: '', problem: undefined }))
    const json = Object(parseJson(text))
    // A saved state, or a HAR.
    if ('of' in json || 'log' in json) {
      openedStateFile.value = json
      openView('travel')
    } else if (await openReport(file.name, text, problem)) openView('reports')
  }
}

/** Opens the reports again that were open before a reload. */
async function reopen(): Promise<void> {
  const texts = JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, string][]
  if (opened.peek().length === 0) for (const [name, text] of texts.reverse()) await openReport(name, text)
}

/** Accepts files that are dropped anywhere on the page. */
export function listenToDroppedFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    void openFiles(event.dataTransfer?.files)
  })
}

/** An area that invites the user to drop files on the page, or to choose them. */
export const FileDrop = ({ what }: { readonly what: string }) => (
  <label class="drop">
    <span>Drop {what} anywhere on the page, or choose them</span>
    <input type="file" multiple onChange={(event) => openFiles(event.currentTarget.files)} />
  </label>
)

/** The view "Reports": the live report on clients, and reports from files. */
export function ReportsView() {
  const live = useSignal<Document | undefined>(undefined)
  const org_id = addressParam('only') === 'all' ? undefined : shownOrganization.value?.org_id
  useEffect(
    () =>
      keepLoaded(
        () => loadRenderedDocument('/report', { org_id, format: 'html' }),
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
      <SearchField label="Search reports" />
      <FileDrop what="reports, histories and findings" />
      {opened.value.map(({ name, document }) => (
        <Card
          key={name}
          title={name}
          aside={<Button text="Close" kind="small" label={`Close ${name}`} act={() => close(name)} />}
        >
          <SanitizedDocument document={document} search={addressParam('q')} />
        </Card>
      ))}
      <Card
        title="Your client, live"
        aside={
          <AddressParamSelect
            name="only"
            label="Of"
            options={[
              ['', shownOrganization.value?.key_name ?? 'no organization'],
              ['all', 'all organizations'],
            ]}
          />
        }
      >
        {live.value ? (
          <SanitizedDocument document={live.value} search={addressParam('q')} />
        ) : (
          <LoadingText />
        )}
      </Card>
    </>
  )
}
