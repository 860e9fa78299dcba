/** Renders a report in each format but JSON, whose fields belong to the judge. */
import type { ReportFormat } from '../formats.ts'
import { printableJson } from '../markup.ts'
import type { Report } from '../report.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderText } from './text.ts'

const renderers: Readonly<Record<Exclude<ReportFormat, 'json'>, (report: Report) => string>> = {
  text: renderText,
  html: renderHtml,
  md: renderMarkdown,
  junit: renderJunit,
}

/** Renders a report in a format. `data`: the content of the JSON format. */
export function renderReport(format: ReportFormat, data: object, report: Report): string {
  return format === 'json' ? `${printableJson(data, 2)}\n` : renderers[format](report)
}
