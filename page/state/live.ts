/** The event stream of the mock: shows a lost connection, and resumes after the last request that arrived. */
import { signal } from '@preact/signals'
import type { OverviewFrame, Row } from '../model/answers.ts'
import { controlUrl, token } from './calls.ts'
import { changed } from './changes.ts'
import { loadSkipped } from './history.ts'
import { takeOverview } from './overview.ts'
import { addRows, clearRows, countRowless, dropped, log, skipped } from './requests.ts'

/** The state of the connection. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting')

/** Pause before a refused connection is tried again, ms; the browser itself repeats one that broke. */
const pause = 2_000

/** Whether the connection is new or was lost: what came meanwhile is loaded at once, even if it is much. */
let resumed = false

/** Identifies the process that answers: in another one, numbers mean other requests. */
let life = ''

/** Reads the frames of one event. */
function on<Data>(source: EventSource, type: string, read: (data: Data) => void): void {
  source.addEventListener(type, ({ data }) => read(JSON.parse(data) as Data))
}

/** Follows the mock until the page is closed. */
export function follow(): void {
  const since = log.newest || undefined
  const source = new EventSource(controlUrl('/stream', { since, token: token ?? undefined }))
  source.onopen = () => {
    connection.value = 'live'
    resumed = true
    changed()
  }
  source.onerror = () => {
    connection.value = 'lost'
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, pause)
  }
  source.addEventListener('hello', ({ lastEventId }) => {
    const [now = ''] = lastEventId.split('-')
    if (life !== '' && life !== now) clearRows()
    life = now
  })
  on<{ requests: Row[]; skipped: number }>(source, 'requests', (frame) => {
    if (frame.skipped > 0) countRowless(skipped, frame.skipped)
    addRows(frame.requests)
    if (resumed) void loadSkipped()
    resumed = false
    changed()
  })
  on<{ from: number; to: number }>(source, 'gap', ({ from, to }) => countRowless(dropped, to - from + 1))
  on(source, 'restarted', clearRows)
  on<OverviewFrame>(source, 'overview', (overview) => {
    takeOverview(overview)
    changed()
  })
}
