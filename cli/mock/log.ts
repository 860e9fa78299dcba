/** The log: one line per request, with its fault and its id; never a key, a cookie or, unless asked for, a body. */
import type { Mock } from '#mocks/app.ts'
import type { RequestView } from '#mocks/journal/view.ts'
import type { RequestSummary } from '#mocks/pipeline/service.ts'
import { oneLine, printableJson } from '#reporting/markup.ts'

type LogForm = 'human' | 'json'

/** Redacted bodies; null: none was sent. */
export interface Bodies {
  readonly request: string | null
  readonly answer: string
}

/** Passes a log line of each request to `print`, with line ends. `bodies`: also the redacted bodies. */
export function logRequests(mock: Mock, form: LogForm, bodies: boolean, print: (text: string) => void): void {
  let recorded: RequestView | undefined
  // The journal redacts; it records a request just before observers are told of it.
  if (bodies) mock.journal.follow((view) => (recorded = view))
  mock.observe((summary) => {
    const { request, answer } = recorded?.id === summary.id ? recorded : {}
    const shown = request && answer && { request: request.body, answer: answer.body }
    print(`${logLine(summary, form, shown)}\n`)
  })
}

/** The log of a request, without a line end: one line, and in the human form one more for each body. */
export function logLine(summary: RequestSummary, form: LogForm, bodies?: Bodies): string {
  const { at, duration_ms, ...rest } = summary
  const time = new Date(at).toISOString()
  const duration = Math.round(duration_ms * 100) / 100
  const { id, operation, method, path, status, error, reason, wire, org_id, org_name } = rest
  if (form === 'json') {
    const told = { id, operation, method, path, status, error, reason, wire, org_id, org_name }
    const shown = bodies && { request_body: bodies.request, answer_body: bodies.answer }
    return printableJson({ time, ...told, duration_ms: duration, ...shown })
  }
  const words = [
    time.slice(11, 23),
    method.padEnd(6),
    path.replace(unprintable, encodeURIComponent),
    status,
    error ?? '-',
    org_name === null ? '-' : `"${oneLine(org_name.slice(0, longestName))}"`,
    org_id ?? '-',
    `${duration}ms`,
    id,
    ...(wire === null ? [] : [`wire=${wire}`]),
    ...(reason === null ? [] : [oneLine(reason)]),
  ]
  return [words.join(' '), ...bodyLines(bodies)].join('\n')
}

function bodyLines({ request, answer }: Bodies = { request: null, answer: '' }): string[] {
  const shown = [request && `  > ${request}`, answer && `  < ${answer}`]
  return shown.flatMap((text) => (text ? oneLine(text.trimEnd()) : []))
}

/** Longest part of a name in a line, characters. */
const longestName = 60

/** Characters of a decoded path that would break the line or its columns. */
const unprintable = /[\s\p{Cc}\p{Cf}]/gu
