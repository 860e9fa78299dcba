/** Files that are opened or dropped on the page: reports, saved states and recordings. */
import { signal } from '@preact/signals-core'
import { loadDocument } from '../parts/rendered.tsx'
import { open } from './address.ts'
import { restore } from './moments.ts'
import { attempt } from './notices.ts'

interface Opened {
  readonly name: string
  readonly text: string
  readonly document: Document
}

/** The reports that are open, the newest first. */
export const opened = signal<readonly Opened[]>([])
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

export const close = (name: string): void => keep(opened.value.filter((one) => one.name !== name))

const openReport = (name: string, text: string) =>
  attempt(`Open ${name}`, async () => {
    const document = await loadDocument('/render', {}, { text, as: 'report' })
    keep([{ name, text, document }, ...opened.peek().filter((one) => one.name !== name)])
  })

/** How a saved state begins, or a HAR. */
const state = /^\s*\{\s*"(of|log)"/

/** Opens files as what they hold; a report in its view. */
export async function openFiles(files: FileList | null | undefined): Promise<void> {
  for (const file of files ?? []) {
    const text = await file.text()
    if (state.test(text)) await attempt(`Open ${file.name}`, () => restore({ file: JSON.parse(text) }))
    else if (await openReport(file.name, text)) open('reports')
  }
}

/** Opens the reports again that were open before a reload. */
export async function reopen(): Promise<void> {
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
