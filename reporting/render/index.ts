/** Renders a report in each format but JSON, whose fields belong to the judge. */
import type { Format } from '../formats.ts'
import { printableJson } from '../markup.ts'
import type { Report } from '../report.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderText } from './text.ts'

const renderers: Readonly<Record<Exclude<Format, 'json'>, (report: Report) => string>> = {
  text: renderText,
  html: renderHtml,
  md: renderMarkdown,
  junit: renderJunit,
}

/** Renders a report in a format. `data`: the content of the JSON format. */
export function render(format: Format, data: object, report: Report): string {
  return format === 'json' ? `${printableJson(data, 2)}\n` : renderers[format](report)
}
