/** The filters of the list of requests; the mock searches what the list does not have, such as bodies. */

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { Choice, Search } from '../../parts/form.tsx'
import { amount } from '../../parts/text.ts'
import { change, param } from '../../state/address.ts'
import { keepLoaded, longRest } from '../../state/changes.ts'
import { findRows } from '../../state/history.ts'
import { organization, vocabulary } from '../../state/overview.ts'
import { log } from '../../state/requests.ts'

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
export function Filters({ shown, all, children }: Props) {
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
        <Choice
          quiet
          label="Operation"
          value={param('op')}
          options={[['', 'any operation'], ...operations.map(({ id }) => [id, id] as const)]}
          onPick={(op) => change({ op })}
        />
        <Choice
          quiet
          label="Time"
          value={param('since')}
          options={times}
          onPick={(since) => change({ since })}
        />
        <Choice
          quiet
          label="Of"
          value={param('only')}
          options={[
            ['', 'all organizations'],
            ['1', organization.value?.key_name ?? 'this organization'],
          ]}
          onPick={(only) => change({ only })}
        />
      </div>
      <div class="row">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
        <div class="row" role="group" aria-label="Status">
          {statuses.map((status) => (
            <button
              key={status}
              type="button"
              class="small"
              aria-pressed={picked.includes(status)}
              onClick={() => toggle(status)}
            >
              {status}
            </button>
          ))}
        </div>
        {param('task') !== '' && (
          <button type="button" class="small" aria-pressed onClick={() => change({ task: '' })}>
            task {param('task')} ×
          </button>
        )}
        {children}
        <span class="muted number steady">
          {/* One text: of several, those behind would move as it grows. */}
          {`${amount(shown)} of ${amount(all)}`}
        </span>
        {Object.keys(unset).some((name) => param(name) !== '') && (
          <button type="button" class="small" onClick={() => change(unset)}>
            Clear
          </button>
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
export function useFilter(): void {
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
