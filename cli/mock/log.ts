/** One log line per request: method, path, status, error and duration. Never a key, a cookie or a body. */
import type { RequestSummary } from '#mocks/pipeline/service.ts'

type LogForm = 'human' | 'json' | 'off'

/** The log line of a request, without a line end. */
export function logLine(exchange: RequestSummary, form: Exclude<LogForm, 'off'>): string {
  const { operation, method, path, status, error, org_id, at, duration_ms } = exchange
  const time = new Date(at).toISOString()
  if (form === 'json') {
    return JSON.stringify({
      time,
      operation,
      method,
      path,
      status,
      error,
      org_id,
      duration_ms: rounded(duration_ms),
    })
  }
  return [
    time.slice(11, 23),
    method.padEnd(6),
    path.replace(unprintable, encodeURIComponent),
    status,
    error ?? '-',
    org_id ?? '-',
    `${rounded(duration_ms)}ms`,
  ].join(' ')
}

/** Characters of a decoded path that would break the line or its columns. */
const unprintable = /[\s\p{Cc}\p{Cf}]/gu

const rounded = (ms: number) => Math.round(ms * 100) / 100
