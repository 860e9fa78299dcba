/** Applies the filter of the address to the log; the mock searches what the list does not have, such as bodies. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { param } from '../../state/address.ts'
import { keepLoaded, longRest } from '../../state/changes.ts'
import { findRows } from '../../state/history.ts'
import { organization } from '../../state/overview.ts'
import { log } from '../../state/requests.ts'

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
