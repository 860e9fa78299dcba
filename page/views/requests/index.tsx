/** Requests: live, filtered, as rows in columns; and one of them. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { isRequest, type Row } from '../../model/fault-rule.ts'
import { requestsIn } from '../../model/request-log.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ParamChoice, Search } from '../../parts/form.tsx'
import { amount, count } from '../../parts/text.ts'
import { change, param, stampOf } from '../../state/address.ts'
import { keepLoaded, longRest } from '../../state/changes.ts'
import { connection } from '../../state/live.ts'
import { loadVocabulary, organization, vocabulary } from '../../state/overview.ts'
import { findRows, loadHistory, log, skipped, version } from '../../state/requests.ts'
import { copyRequest, Intents, sendAgain, sendFirst } from './actions.tsx'
import { RequestDetails } from './details.tsx'
import { RequestList } from './row.tsx'

/** Statuses to pick, any number of them. */
const statuses = ['2xx', '402', '404', '409', '429', '4xx', '5xx', 'lost', 'fault']

const times = [
  ['', 'any time'],
  ['60', 'last minute'],
  ['600', 'last 10 min'],
  ['3600', 'last hour'],
] as const

const unset = { q: '', op: '', status: '', only: '', since: '', task: '' }

interface Props {
  /** How many requests pass. */
  readonly shown: number
  /** How many there are. */
  readonly all: number
  readonly children: ComponentChildren
}

/** The filters; what they hold is part of the address. */
function Filters({ shown, all, children }: Props) {
  const operations = vocabulary.value?.operations ?? []
  const picked = param('status').split(',').filter(Boolean)
  const toggle = (status: string) => {
    const left = picked.filter((one) => one !== status)
    change({ status: (left.length < picked.length ? left : [...picked, status]).join() })
  }
  return (
    <search aria-label="Filter requests">
      <div class="filters">
        <Search label="Search requests" />
        <ParamChoice
          quiet
          name="op"
          label="Operation"
          options={[['', 'any operation'], ...operations.map(({ id }) => [id, id] as const)]}
        />
        <ParamChoice quiet name="since" label="Time" options={times} />
        <ParamChoice
          quiet
          name="only"
          label="Of"
          options={[
            ['', 'all organizations'],
            ['1', organization.value?.key_name ?? 'this organization'],
          ]}
        />
      </div>
      <div class="row">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
        <div class="row" role="group" aria-label="Status">
          {[...new Set([...statuses, ...picked])].map((status) => (
            <Button
              text={status}
              kind="small"
              key={status}
              aria-pressed={picked.includes(status)}
              act={() => toggle(status)}
            />
          ))}
        </div>
        {param('task') !== '' && (
          <Button
            text={`task ${param('task')} ×`}
            kind="small"
            aria-pressed
            act={() => change({ task: '' })}
          />
        )}
        {children}
        <span class="muted number steady">
          {/* One text: of several, those behind would move as it grows. */}
          {`${amount(shown)} of ${amount(all)}`}
        </span>
        {Object.keys(unset).some((name) => param(name) !== '') && (
          <Button text="Clear" kind="small" act={() => change(unset)} />
        )}
      </div>
    </search>
  )
}

/** The shortest text for which bodies are searched. */
const shortest = 3

const none: ReadonlySet<number> = new Set()

/** A moment some seconds before another, in steps of five seconds: the list is then not filtered with each request. */
const startOf = (newest: string, seconds: number) =>
  new Date((Math.floor(Date.parse(newest) / 5_000) * 5 - seconds) * 1_000).toISOString()

/** Filters the log while the view is shown. */
function useFilter(): void {
  const text = param('q').trim()
  const also = useSignal(none)
  useEffect(() => {
    also.value = none
    if (text.length < shortest) return
    return keepLoaded(
      () => findRows(text),
      (found = []) => {
        also.value = new Set(found.map(({ number }) => number))
      },
      { rest: longRest },
    )
  }, [text])
  const org = param('only') === '' ? '' : (organization.value?.org_id ?? '')
  const newest = log.get(log.newest)?.at
  const seconds = Number(param('since')) || 0
  const filter = {
    org,
    operation: param('op'),
    status: param('status'),
    text,
    task: param('task'),
    since: seconds > 0 && newest ? startOf(newest, seconds) : '',
  }
  log.filter(filter, also.value)
}

/** The view. While it is paused, the address has the number of the newest request shown. */
export function RequestsView() {
  useEffect(() => {
    void loadVocabulary()
    void loadHistory()
  }, [connection.value])
  useFilter()
  version.value
  const until = Number(param('until')) || 0
  const paused = until > 0
  const all = log.found.length
  const length = paused ? log.countUntil(until) : all
  const number = Number(param('n')) || 0
  const place = log.placeOf(number)
  const active = place < 0 || place >= length ? -1 : length - 1 - place
  const missing = log.missing - skipped.value
  const pause = (on: boolean) => change({ until: on ? log.newest || undefined : undefined }, { quiet: true })
  const choose = (row: Row | undefined) => {
    const shown = paused ? until : log.newest
    if (row) change({ n: row.number, t: stampOf(row.at), until: shown }, { quiet: active >= 0 })
  }
  return (
    <div class="split wide">
      <Card title="Requests" aside={<Intents />}>
        <Filters shown={requestsIn(log.found.slice(0, length))} all={requestsIn(log.rows) + skipped.value}>
          <Button
            text={!paused ? 'Pause' : all > length ? `Show newest (${all - length} more)` : 'Resume'}
            kind="small"
            aria-pressed={paused}
            act={() => pause(!paused)}
          />
          <Button text="Send GET /whoami" kind="small" disabled={!organization.value} act={sendFirst} />
          {missing > 0 && <p role="status">{count(missing, 'request')} missing: dropped by the journal</p>}
        </Filters>
        {length === 0 && <Nothing />}
        <RequestList
          label="Requests, newest first"
          name="request"
          count={length}
          active={active}
          keep={paused}
          choose={choose}
          keys={{
            p: () => pause(!paused),
            c: () => isRequest(number) && void copyRequest(number, 'curl'),
            s: () => isRequest(number) && void sendAgain(number),
          }}
          onTop={(top) => {
            if (!top && !paused) pause(true)
            if (top && paused && number === 0) pause(false)
          }}
        />
      </Card>
      <RequestDetails number={number} />
    </div>
  )
}

/** What to do while the list is empty. */
function Nothing() {
  version.value
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
