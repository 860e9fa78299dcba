/** Renders a report in each format but JSON, whose fields belong to the judge. */
import type { Format } from '../formats.ts'
import { spelled } from '../one-line.ts'
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

/** A report in a format. `data`: what the JSON format holds. */
export function render(format: Format, data: object, report: Report): string {
  return format === 'json' ? `${jsonOf(data)}\n` : renderers[format](report)
}

/** JSON in which no text of a service can steer a terminal: what JSON leaves as it is, is spelled. */
function jsonOf(data: object): string {
  const controls = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
  return JSON.stringify(data, null, 2).replace(controls, spelled)
}
