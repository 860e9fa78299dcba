/** Time travel: walk through the requests of an organization, see it as it was, fork it, or share it as a link. */
import { useEffect, useLoaded } from '../../draw.ts'
import type { LogRow } from '../../model/fault-rule.ts'
import { Button } from '../../parts/button.tsx'
import { Card, DetailsPane, SaveCopyForkButtons, WithLoadedState } from '../../parts/card.tsx'
import { loadRenderedDocument, SanitizedDocument } from '../../parts/rendered.tsx'
import { countText, formatMoment } from '../../parts/text.ts'
import { addressParam, hrefOf, openView, views } from '../../state/address.ts'
import { describeState, goToMoment, openedStateFile, restoreState } from '../../state/moments.ts'
import { shownOrganization } from '../../state/overview.ts'
import { loadOlderRequests, logVersion, requestLog } from '../../state/requests.ts'
import { FileDrop } from '../reports/index.tsx'
import { RequestList } from '../requests/row.tsx'

function OpenState() {
  const state = addressParam('state')
  const what = state || openedStateFile.value
  const source = state === '' ? { file: what } : { state: `state=${state}` }
  const { value, problem } = useLoaded(what, () => (what ? describeState(source) : undefined))
  const judged = useLoaded(what, () =>
    'log' in Object(what) ? loadRenderedDocument('/judge', {}, source) : undefined,
  )
  useEffect(
    () => () => {
      // A refused file is forgotten when the view is left.
      if (problem && openedStateFile.peek() === what) openedStateFile.value = undefined
    },
    [problem],
  )
  const cancel = () => {
    openedStateFile.value = undefined
    openView('requests')
  }
  if (what)
    return (
      <Card title="Restore this state?">
        <p>{value ? `${value}. It replaces what is there.` : (problem ?? 'Loading …')}</p>
        <div class="row">
          <Button text="Restore" kind="main" disabled={!value} act={() => restoreState(source)} />
          <Button text="Cancel" act={cancel} />
        </div>
        {judged.value && <SanitizedDocument document={judged.value} />}
      </Card>
    )
  return <FileDrop what="a saved state or a HAR" />
}

/** The view "Time travel": the state of an organization right after each of its requests. */
export function TimeTravelView() {
  useEffect(() => void loadOlderRequests(), [])
  logVersion.value
  const org = shownOrganization.value
  requestLog.filter({ org: org?.org_id ?? 'none', operation: '', status: '', text: '', requests: true })
  const { found } = requestLog
  const at = Number(addressParam('at')) || 0
  const number = Math.abs(at)
  const place = requestLog.placeOf(number)
  const active = place < 0 ? -1 : found.length - 1 - place
  /** Goes to the moment right before a request, or right after it if the page shows a moment right after one. */
  const goBefore = (row: LogRow | undefined) => goToMoment(row && (at > 0 ? row.number : -row.number))
  const step = (by: number) =>
    goBefore(found.at(-1 - Math.min(found.length - 1, active < 0 ? 0 : active + by)))
  return (
    <>
      <OpenState />
      <div class="split">
        <Card title="Requests of this organization" aside={countText(found.length, 'request')}>
          <div class="row">
            <Button text="← Earlier" disabled={!found[0]} act={() => step(1)} />
            <Button
              text="Later →"
              disabled={active < 0}
              act={() => (active === 0 ? goToMoment(undefined) : step(-1))}
            />
          </div>
          <RequestList
            label="Requests of this organization, newest first"
            name="moment"
            count={found.length}
            active={active}
            choose={goBefore}
            none={<p>No request of this organization yet.</p>}
          />
        </Card>
        <DetailsPane of={at}>
          <Card title="This state">
            <WithLoadedState>
              {({ credits, agent, at: { time } }) => (
                <p class="large number">
                  {countText(credits, 'credit')}, agent {agent.active === null ? 'idle' : 'running'}, as of{' '}
                  {formatMoment(time)}
                </p>
              )}
            </WithLoadedState>
            <p class="row">
              {org &&
                (['overview', 'tasks', 'data'] as const).map((view) => (
                  <a key={view} href={hrefOf(view)}>
                    {views[view]} at this moment
                  </a>
                ))}
              {at !== 0 && <a href={hrefOf('requests', { n: number, until: number })}>Why this answer</a>}
            </p>
            <p class="muted">A fork is a new organization; a link opens in any mock.</p>
            {at === 0 && (
              <div class="row">
                <SaveCopyForkButtons />
              </div>
            )}
          </Card>
        </DetailsPane>
      </div>
    </>
  )
}
