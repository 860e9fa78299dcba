/**
 * The event stream of the mock: shows a lost connection, and resumes after the last request that arrived. Browsers open
 * six connections to one address, so the tabs of a browser share one stream: the tab that holds a lock reads it for all.
 */
import { signal } from '@preact/signals-core'
import type { OperatorAction } from '#mocks/journal/journal.ts'
import { actionAsLogRow, type LogRow } from '../model/fault-rule.ts'
import type { OverviewStreamMessage } from '../model/organization.ts'
import { adminToken, callControlRoute, controlUrl } from './calls.ts'
import { announceMockChange } from './changes.ts'
import { showNotice } from './notices.ts'
import { applyOverview } from './overview.ts'
import * as requests from './requests.ts'

type State = 'connecting' | 'live' | 'lost'
/** The state of the connection by which the page receives events of the mock, such as `lost`, as a signal. */
export const connectionState = signal<State>('connecting')

/**
 * Pause before the page retries a refused connection (the browser itself retries broken ones), and after a burst, ms.
 */
const pause = 2_000
/** Longest silence of a healthy stream, ms: it sends something every second. */
const silence = 2_000

/** Message of the reading tab to the others: an event of the stream, or the state of the connection. */
interface Message {
  readonly event: string
  readonly data?: unknown
  readonly id?: string
}

const channel = new BroadcastChannel('work-agent-mock')
/** True if this tab reads the stream. */
let reading = false
/** Timer that loads the skipped requests once a burst is over. */
let burst: ReturnType<typeof setTimeout> | undefined
/** The id of the process of the mock: in another process, the same number is another request. */
let life = ''

/** The action of the page at each event of the stream or message of another tab. */
const events: Readonly<Record<string, (data: never, id: string) => void>> = {
  hello(_: unknown, id) {
    const [now = ''] = id.split('-')
    if (life !== '' && life !== now) {
      requests.clearRequestLog()
      showNotice('done', 'The mock restarted')
    }
    life = now
  },
  requests(frame: { requests: LogRow[]; skipped: number; newest: number }) {
    requests.noteRequestTotal(frame.newest)
    if (frame.skipped > 0) {
      requests.noteSkippedRequests(frame.skipped)
      clearTimeout(burst)
      burst = setTimeout(requests.loadSkippedRequests, pause)
    }
    requests.addNewRows(frame.requests)
    announceMockChange()
  },
  actions({ actions }: { actions: OperatorAction[] }) {
    requests.addOlderRows(actions.map(actionAsLogRow))
  },
  restarted() {
    requests.clearRequestLog()
    void requests.loadOlderRequests()
  },
  overview(overview: OverviewStreamMessage) {
    requests.noteRequestTotal(overview.mock.journal.newest)
    applyOverview(overview)
    announceMockChange()
  },
  state(state: State) {
    connectionState.value = state
    announceMockChange()
  },
  /** A tab that has joined asks for the state of the connection. */
  join() {
    if (reading) tell({ event: 'state', data: connectionState.peek() })
  },
  here: () => undefined,
}

const take = ({ event, data, id = '' }: Message) => events[event]?.(data as never, id)

/** Acts on a message, and sends it to the other tabs. */
function tell(message: Message): void {
  take(message)
  channel.postMessage(message)
}

/** Receives the events of the mock until the page is closed. */
export function receiveMockEvents(): void {
  let heard = 0
  channel.onmessage = ({ data }) => {
    heard = Date.now()
    take(data)
  }
  // At an insecure address there are no locks: a tab reads the stream as soon as it hears no other tab.
  if (!navigator.locks) {
    void join()
    setInterval(() => reading || Date.now() < heard + silence || read(), silence * (0.2 + Math.random() / 2))
    return
  }
  const lead = () => new Promise<never>(read)
  void navigator.locks.request('work-agent-mock', { ifAvailable: true }, (lock) => {
    if (lock) return lead()
    void navigator.locks.request('work-agent-mock', lead)
    return join()
  })
}

/** Loads what a tab missed that did not read the stream from its beginning. */
async function join(): Promise<void> {
  channel.postMessage({ event: 'join' })
  setTimeout(() => {
    if (connectionState.peek() === 'connecting') connectionState.value = 'lost'
  }, silence)
  const { mock, organizations } = await callControlRoute('GET /overview')
  take({
    event: 'overview',
    data: { mock, organizations, existing: organizations.map(({ org_id }) => org_id) },
  })
}

/** Reads the stream for all tabs. */
function read(): void {
  reading = true
  const since = requests.requestLog.newestRequest || undefined
  const source = new EventSource(controlUrl('/stream', { since, token: adminToken }))
  let timer: ReturnType<typeof setTimeout> | undefined
  const state = (now: State) => tell({ event: 'state', data: now })
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => state('lost'), silence)
    if (source.readyState === EventSource.OPEN && connectionState.peek() !== 'live') state('live')
  }
  source.onopen = heard
  source.onerror = () => {
    clearTimeout(timer)
    state('lost')
    if (source.readyState === EventSource.CLOSED) setTimeout(read, pause)
  }
  for (const event in events)
    source.addEventListener(event, ({ data, lastEventId: id }) => {
      heard()
      tell({ event, data: JSON.parse(data), id })
    })
  timer = setTimeout(() => state('lost'), silence)
}
