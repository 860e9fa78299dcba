/** `--report json=FILE,…`: which forms go where. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { renderHtml } from '#contract-tests/report/html.ts'
import { renderJson } from '#contract-tests/report/json.ts'
import { renderJunit } from '#contract-tests/report/junit.ts'
import { renderMarkdown } from '#contract-tests/report/markdown.ts'
import type { Report } from '#contract-tests/report/report.ts'
import { UsageError } from '../flags.ts'

const renderers = { json: renderJson, junit: renderJunit, md: renderMarkdown, html: renderHtml } as const

export interface ReportFile {
  readonly form: keyof typeof renderers
  readonly file: string
}

/** @throws UsageError for a form that there is not, or a missing file name. */
export function readReportFiles(list: readonly string[]): ReportFile[] {
  return list.map((text) => {
    const at = text.indexOf('=')
    const [form, file] = [text.slice(0, at), text.slice(at + 1)]
    if (at < 1 || file === '' || !Object.hasOwn(renderers, form)) {
      throw new UsageError(
        `--report takes ${Object.keys(renderers)
          .map((name) => `${name}=FILE`)
          .join(', ')}; not "${text}"`,
      )
    }
    return { form: form as keyof typeof renderers, file }
  })
}

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReports(files: readonly ReportFile[], report: Report): void {
  for (const { form, file } of files) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, renderers[form](report))
    } catch (error) {
      throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
}
