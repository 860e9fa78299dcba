/** Requests: live, filtered, as rows in columns; and one of them. */
import type { ComponentChildren } from 'preact'
import { useEffect, useSignal } from '../../draw.ts'
import { isRequestNumber, type LogRow } from '../../model/fault-rule.ts'
import { countRequestRows } from '../../model/request-log.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { DetailsPane } from '../../parts/card.tsx'
import { AddressParamSelect, SearchField } from '../../parts/form.tsx'
import { countText, formatNumber } from '../../parts/text.ts'
import { addressParam, changeAddress, shortRequestTimeOf } from '../../state/address.ts'
import { heavyReloadPauseFactor, keepLoaded } from '../../state/changes.ts'
import { connectionState } from '../../state/live.ts'
import { faultVocabulary, loadVocabularyAndScenarios, shownOrganization } from '../../state/overview.ts'
import {
  loadOlderRequests,
  logVersion,
  requestLog,
  searchRequests,
  skippedRequestCount,
} from '../../state/requests.ts'
import { copyRequestWithState, NextRequestButtons, resendRequest, sendSampleRequest } from './actions.tsx'
import { RequestDetails } from './details.tsx'
import { RequestList } from './row.tsx'

/** Statuses to filter by, any number of them at once. */
const statuses = ['2xx', '402', '404', '409', '429', '4xx', '5xx', 'lost', 'fault']

const unset = { q: '', op: '', status: '', only: '', task: '', ops: '' }

interface Props {
  /** The number of requests that pass the filters. */
  readonly shown: number
  /** The number of requests in the list. */
  readonly all: number
  /** The number of requests that have come since the list was paused. */
  readonly newer: number
  readonly children: ComponentChildren
}

/** The filters; what they hold is part of the address. */
function Filters({ shown, all, newer, children }: Props) {
  const folded = useSignal(true)
  const operations = faultVocabulary.value?.operations ?? []
  const picked = addressParam('status').split(',').filter(Boolean)
  const toggle = (status: string) => {
    const left = picked.filter((one) => one !== status)
    changeAddress({ status: (left.length < picked.length ? left : [...picked, status]).join() })
  }
  return (
    <search aria-label="Filter requests" class={folded.value ? 'folded' : undefined}>
      <Button
        text="Filters"
        kind="small"
        aria-expanded={!folded.value}
        act={() => {
          folded.value = !folded.value
        }}
      />
      <div class="filters">
        <SearchField label="Search requests" />
        <AddressParamSelect
          quiet
          name="op"
          label="Operation"
          options={[['', 'any operation'], ...operations.map(({ id }) => [id, id] as const)]}
        />
        <AddressParamSelect
          quiet
          name="only"
          label="Of"
          options={[
            ['', 'all organizations'],
            ['1', shownOrganization.value?.key_name ?? 'this organization'],
          ]}
        />
      </div>
      <div class="row">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
        <div class="row" role="group" aria-label="Status">
          {[...new Set([...statuses, ...picked])].map((status) => (
            <Button
              text={status}
              kind="chip"
              key={status}
              aria-pressed={picked.includes(status)}
              act={() => toggle(status)}
            />
          ))}
        </div>
        <Button
          text="operators"
          kind="chip"
          aria-pressed={addressParam('ops') === ''}
          act={() => changeAddress({ ops: addressParam('ops') === '' ? 'none' : '' })}
        />
        {addressParam('task') !== '' && (
          <Button
            text={`task ${addressParam('task')} ×`}
            kind="chip"
            aria-pressed
            act={() => changeAddress({ task: '' })}
          />
        )}
        {children}
        <span class="muted number steady">
          {/* One text: of several, those behind would move as it grows. */}
          {`${formatNumber(shown)} of ${formatNumber(all)}${newer > 0 ? `, ${formatNumber(newer)} newer` : ''}`}
        </span>
        {Object.keys(unset).some((name) => addressParam(name) !== '') && (
          <Button text="Clear" kind="small" act={() => changeAddress(unset)} />
        )}
      </div>
    </search>
  )
}

/** Shortest text for which bodies are searched, characters. */
const shortest = 3

const none: ReadonlySet<number> = new Set()

/** Applies the filters to the log while the view is shown. */
function useFilter(): void {
  const text = addressParam('q').trim()
  const also = useSignal(none)
  useEffect(() => {
    also.value = none
    if (text.length < shortest) return
    return keepLoaded(
      () => searchRequests(text),
      (found = []) => {
        also.value = new Set(found.map(({ number }) => number))
      },
      { rest: heavyReloadPauseFactor },
    )
  }, [text])
  const org = addressParam('only') === '' ? '' : (shownOrganization.value?.org_id ?? '')
  const filter = {
    org,
    operation: addressParam('op'),
    status: addressParam('status'),
    text,
    task: addressParam('task'),
    requests: addressParam('ops') !== '',
  }
  requestLog.filter(filter, also.value)
}

/**
 * The view "Requests": the list of requests, and one of them. While it is paused, the address has the number of the
 * newest request shown.
 */
export function RequestsView() {
  useEffect(() => {
    void loadVocabularyAndScenarios()
    void loadOlderRequests()
  }, [connectionState.value])
  useFilter()
  logVersion.value
  const until = Number(addressParam('until')) || 0
  const paused = until > 0
  const all = requestLog.found.length
  const length = paused ? requestLog.countUntil(until) : all
  const number = Number(addressParam('n')) || 0
  const place = requestLog.placeOf(number)
  const active = place < 0 || place >= length ? -1 : length - 1 - place
  const missing = requestLog.missing - skippedRequestCount.value
  const pause = (on: boolean) =>
    changeAddress({ until: on ? requestLog.newest || undefined : undefined }, { quiet: true })
  const choose = (row: LogRow | undefined) => {
    if (row)
      changeAddress(
        { n: row.number, t: shortRequestTimeOf(row.at), until: until || requestLog.newest },
        { quiet: active >= 0 },
      )
  }
  return (
    <>
      <section class="toolbar" aria-label="Requests">
        <NextRequestButtons />
        <Filters
          shown={countRequestRows(requestLog.found.slice(0, length))}
          all={countRequestRows(requestLog.rows) + skippedRequestCount.value}
          newer={all - length}
        >
          <Button
            text={!paused ? 'Pause' : all > length ? 'Show newest' : 'Resume'}
            kind="small wide"
            aria-pressed={paused}
            act={() => pause(!paused)}
          />
          <Button text="Send GET /whoami" kind="small" act={sendSampleRequest} />
          {missing > 0 && (
            <p role="status">{countText(missing, 'request')} missing: dropped by the journal</p>
          )}
        </Filters>
      </section>
      <div class="split wide">
        <section class="card" aria-label="List of requests">
          <RequestList
            label="Requests, newest first"
            name="request"
            count={length}
            active={active}
            keep={paused}
            choose={choose}
            keys={{
              p: () => pause(!paused),
              c: () => isRequestNumber(number) && void copyRequestWithState(number, 'curl'),
              s: () => isRequestNumber(number) && void resendRequest(number),
            }}
            onTop={(top) => {
              if (!top && !paused) pause(true)
              if (top && paused && number === 0) pause(false)
            }}
            none={<Nothing />}
          />
        </section>
        <DetailsPane of={number}>{number > 0 && <RequestDetails number={number} />}</DetailsPane>
      </div>
    </>
  )
}

/** Advice while the list is empty. */
function Nothing() {
  logVersion.value
  if (requestLog.rows.length > 0) return <p>No request passes the filter.</p>
  const key = shownOrganization.value?.api_key ?? 'wak_test_demo'
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
