/** Frames of what a view shows: cards, what is loaded, lists that grow, and the bar of the past. */
import type { ComponentChildren } from 'preact'
import { useEffect, useElementRef, useSignal } from '../draw.ts'
import type { OrganizationState, OrganizationView } from '../model/organization.ts'
import { addressParam, hrefOf } from '../state/address.ts'
import { connectionState } from '../state/live.ts'
import { copyStateLink, forkShownState, goToMoment, saveStateFile } from '../state/moments.ts'
import {
  createAndOpenOrganization,
  defaultOrganizationName,
  mockOverview,
  organizationsById,
  shownOrganization,
} from '../state/overview.ts'
import { loadedOrganizationState, stateLoadProblem } from '../state/requests.ts'
import { Button } from './button.tsx'
import { formatMoment } from './text.ts'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  /** Shown at the end of the heading; a text is muted. */
  readonly aside?: ComponentChildren
}

/** A part of a view with a heading, as a region for screen readers. */
export function Card({ title, children, aside }: Props) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {typeof aside === 'string' ? <span class="muted">{aside}</span> : aside}
      </header>
      {children}
    </section>
  )
}

/** A list of names with values. */
export const NameValueList = ({ pairs }: { readonly pairs: readonly (readonly ComponentChildren[])[] }) => (
  <dl class="headers">
    {pairs.map(([name, value], place) => (
      <div key={place}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The number of rows that are shown at first, and of those that are added at a time. */
const atFirst = 50

interface TableProps<Row> {
  readonly title: string
  /** The heads of the columns; that of a column of numbers begins with `#`. */
  readonly heads: readonly string[]
  readonly rows: readonly Row[]
  readonly row: (row: Row) => ComponentChildren
  /** Text under the head while there are no rows. */
  readonly none?: ComponentChildren
}

/** A wide table that can be focused and scrolled, with a button for more rows. */
export function Table<Row>({ title, heads, rows, row, none }: TableProps<Row>) {
  const shown = useSignal(atFirst)
  const left = rows.length - shown.value
  const more = () => {
    shown.value += atFirst
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="scroll-x" tabIndex={0} role="group" aria-label={title}>
        <table>
          <caption class="hidden">{title}, newest first</caption>
          <thead>
            <tr>
              {heads.map((head) =>
                head === '' ? (
                  <td key={head} />
                ) : (
                  <th key={head} scope="col" class={head.startsWith('#') ? 'right' : undefined}>
                    {head.replace('#', '')}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>{rows.slice(0, shown.value).map(row)}</tbody>
        </table>
      </div>
      {rows.length === 0 && none}
      {left > 0 && <Button text={`Show ${Math.min(atFirst, left)} more`} act={more} />}
    </>
  )
}

/** The text shown while something is loading, or if the mock does not answer. */
export const LoadingText = () => (
  <p class="empty">{connectionState.value === 'lost' ? 'No answer from the mock' : 'Loading …'}</p>
)

/**
 * Passes the loaded state of the organization (perhaps a past one), and the organization as it is now, to a function
 * that draws them. Until the state is loaded, it shows a text instead.
 */
export function WithLoadedState({
  children,
}: {
  readonly children: (state: OrganizationState, org: OrganizationView) => ComponentChildren
}) {
  if (stateLoadProblem.value !== undefined)
    return (
      <p class="empty" role="status">
        {stateLoadProblem.value}{' '}
        <a href={hrefOf('overview', { org: undefined, at: undefined })}>To the overview</a>
      </p>
    )
  const [state, org] = [loadedOrganizationState.value, shownOrganization.value]
  if (state && state.org_id === org?.org_id) return <>{children(state, org)}</>
  if (!mockOverview.value || org) return <LoadingText />
  if (organizationsById.value.size > 0)
    return (
      <p class="empty" role="status">
        This organization is not in the mock, or too old to show.
      </p>
    )
  return (
    <div class="empty" role="status">
      <p>No organization yet. The first request with a key creates one.</p>
      <Button
        text="Create demo"
        kind="main"
        disabled={addressParam('at') !== ''}
        act={() => createAndOpenOrganization({ name: defaultOrganizationName })}
      />
    </div>
  )
}

/** The pane with details beside a list. When its subject `of` changes, it scrolls to the top and keeps the focus. */
export function DetailsPane({
  of,
  children,
}: {
  readonly of: unknown
  readonly children?: ComponentChildren
}) {
  const box = useElementRef<HTMLDivElement>()
  useEffect(() => {
    box.current?.scrollTo(0, 0)
  }, [of])
  return (
    <div class="details" tabIndex={-1} ref={box}>
      {children}
    </div>
  )
}

/** The message that the target of a link does not exist; empty: the link names no target. */
export const missingTargetText = (what: string, named: string): string =>
  named && `The ${what} of this link is not in this list.`

const stateActions = {
  'Fork from here': forkShownState,
  'Copy link': copyStateLink,
  'Save as file': saveStateFile,
}

/**
 * Buttons that save the state of an organization to a file, copy a link to it, or fork it; default: the state that the
 * page shows.
 */
export const SaveCopyForkButtons = (named: Parameters<typeof forkShownState>[0]) => (
  <>
    {Object.entries(stateActions).map(([text, act]) => (
      <Button text={text} key={text} disabled={!shownOrganization.value} act={() => act(named)} />
    ))}
  </>
)

/** A bar that is shown while the page shows a past state: it says so, and offers actions such as going back to now. */
export function PastNotice() {
  const at = addressParam('at')
  if (at === '') return null
  const number = Number(at)
  const { number: loaded, time } = loadedOrganizationState.value?.at ?? {}
  return (
    <section class="moment-bar" aria-label="Past">
      <p>
        As it was right {number < 0 ? 'before' : 'after'} request{' '}
        <strong class="number">#{Math.abs(number)}</strong>
        {loaded === Math.abs(number) && time && `, ${formatMoment(time)}`}{' '}
        <Button
          text={number < 0 ? 'Right after it' : 'Right before it'}
          kind="link"
          act={() => goToMoment(-number)}
        />
      </p>
      <SaveCopyForkButtons />
      <Button text="Back to now" kind="main" act={() => goToMoment(undefined)} />
    </section>
  )
}
