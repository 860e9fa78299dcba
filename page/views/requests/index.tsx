/** Requests: live, filtered, and one of them with the reasons of its answer. */
import { useEffect } from 'preact/hooks'
import { isRequest } from '../../model/fault-rule.ts'
import { requestsIn } from '../../model/request-log.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { useListKeys, VirtualList } from '../../parts/list.tsx'
import { count } from '../../parts/text.ts'
import { change, param, stampOf } from '../../state/address.ts'
import { loadHistory } from '../../state/history.ts'
import { loadVocabulary, organization } from '../../state/overview.ts'
import { dropped, log, skipped, version } from '../../state/requests.ts'
import { copyRequest, sendAgain, sendFirst } from './actions.tsx'
import { RequestDetails } from './details.tsx'
import { Filters, useFilter } from './filters.tsx'
import { Intents } from './intents.tsx'
import { RequestRow, RowHead } from './row.tsx'

/** The view. While it is paused, the address has the number of the newest request shown. */
export function RequestsView() {
  useEffect(() => {
    void loadVocabulary()
    void loadHistory()
  }, [])
  useFilter()
  version.value
  const until = Number(param('until')) || 0
  const paused = until > 0
  const all = log.found.length
  const length = paused ? log.countUntil(until) : all
  const number = Number(param('n')) || 0
  const place = log.placeOf(number)
  const active = place < 0 || place >= length ? -1 : length - 1 - place
  const pause = (on: boolean) => change({ until: on ? log.newest || undefined : undefined }, { quiet: true })
  const choose = (at: number) => {
    const row = log.found[length - 1 - at]
    const shown = paused ? until : log.newest
    if (row) change({ n: row.number, t: stampOf(row.at), until: shown }, { quiet: active >= 0 })
  }
  useListKeys({
    count: length,
    active,
    choose,
    more: {
      p: () => pause(!paused),
      c: () => isRequest(number) && void copyRequest(number, 'curl'),
      s: () => isRequest(number) && void sendAgain(number),
    },
  })
  return (
    <div class="split wide">
      <Card title="Requests" aside={<Intents />}>
        <Filters shown={requestsIn(log.found.slice(0, length))} all={requestsIn(log.rows) + skipped.value}>
          <button type="button" class="small" aria-pressed={paused} onClick={() => pause(!paused)}>
            {!paused ? 'Pause' : all > length ? `Show newest (${all - length} more)` : 'Resume'}
          </button>
          <Button kind="small" disabled={!organization.value} act={sendFirst}>
            Send GET /whoami
          </Button>
          {dropped.value > 0 && (
            <p role="status">{count(dropped.value, 'request')} missing: dropped by the journal</p>
          )}
        </Filters>
        {length === 0 && <Nothing />}
        <RowHead />
        <VirtualList
          label="Requests, newest first"
          count={length}
          active={active}
          keep={paused}
          idOf={(at) => `request-${log.found[length - 1 - at]?.number}`}
          onChoose={choose}
          onTop={(top) => {
            if (!top && !paused) pause(true)
            if (top && paused && number === 0) pause(false)
          }}
          row={(at) => <RequestRow row={log.found[length - 1 - at]} />}
        />
      </Card>
      <RequestDetails number={number} />
    </div>
  )
}

/** What to do while the list is empty. */
function Nothing() {
  if (log.rows.length > 0) return <p class="muted">No request passes the filter.</p>
  const key = organization.value?.api_key ?? 'wak_test_demo'
  return (
    <>
      <p>Nothing yet. Point your client at {location.origin}, or begin with one request:</p>
      <CopyLine
        what="curl"
        text={`curl ${location.origin}/api/cli/whoami -H 'Authorization: Bearer ${key}'`}
      />
    </>
  )
}
