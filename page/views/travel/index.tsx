/** Time travel: walk through the requests of an organization, see it as it was, fork it, or pass it on as a link. */
import { useEffect } from 'preact/hooks'
import { useLoaded } from '../../draw.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Loaded, StateButtons } from '../../parts/card.tsx'
import { amount, count, momentOf } from '../../parts/text.ts'
import { hrefOf, open, param, views } from '../../state/address.ts'
import { goTo, offered, previewOf, restore } from '../../state/moments.ts'
import { organization } from '../../state/overview.ts'
import { loadHistory, log, version } from '../../state/requests.ts'
import { openFiles } from '../reports/index.tsx'
import { RequestList } from '../requests/row.tsx'

function OpenState() {
  const state = param('state')
  const what = state || offered.value
  const source = state === '' ? { file: what } : { state: `state=${state}` }
  const { value, problem } = useLoaded(what, () => (what ? previewOf(source) : undefined))
  const cancel = () => {
    offered.value = undefined
    open('requests')
  }
  if (what)
    return (
      <Card title="Restore this state?">
        <p>{value ? `${value}. It replaces what is there.` : (problem ?? 'Loading …')}</p>
        <div class="row">
          <Button text="Restore" kind="main" disabled={!value} act={() => restore(source)} />
          <Button text="Cancel" act={cancel} />
        </div>
      </Card>
    )
  return (
    <details class="card">
      <summary>Open a saved state or HAR</summary>
      <input
        type="file"
        accept=".json,.har"
        aria-label="State or HAR"
        onChange={(event) => openFiles(event.currentTarget.files)}
      />
    </details>
  )
}

export function TravelView() {
  useEffect(() => void loadHistory(), [])
  version.value
  const org = organization.value
  log.filter({ org: org?.org_id ?? 'none', operation: '', status: '', text: '', requests: true })
  const { found } = log
  const at = Number(param('at')) || 0
  const place = log.placeOf(at)
  const active = place < 0 ? -1 : found.length - 1 - place
  const choose = (to: number) => goTo(found[found.length - 1 - to]?.number)
  const step = (by: number) => choose(Math.min(found.length - 1, Math.max(0, active < 0 ? 0 : active + by)))
  return (
    <>
      <OpenState />
      <div class="split">
        <Card title="Requests of this organization" aside={count(found.length, 'request')}>
          <div class="row">
            <Button text="← Earlier" disabled={found.length === 0} act={() => step(1)} />
            <Button
              text="Later →"
              disabled={active < 0}
              act={() => (active === 0 ? goTo(undefined) : step(-1))}
            />
            <label class="grow">
              <span class="hidden">Moment</span>
              <input
                type="range"
                min={0}
                max={Math.max(0, found.length - 1)}
                value={active < 0 ? found.length - 1 : found.length - 1 - active}
                disabled={found.length === 0}
                onInput={(event) => goTo(found[Number(event.currentTarget.value)]?.number)}
              />
            </label>
          </div>
          <RequestList
            label="Requests of this organization, newest first"
            name="moment"
            count={found.length}
            active={active}
            choose={(row) => goTo(row?.number)}
          />
        </Card>
        <div class="details" tabIndex={-1}>
          <Card title="This state">
            <Loaded>
              {({ credits, agent, at: { time } }) => (
                <p class="large number">
                  {amount(credits)} credits, agent {agent.active === null ? 'idle' : 'running'}, as of{' '}
                  {momentOf(time)}
                </p>
              )}
            </Loaded>
            <p class="row">
              {(['overview', 'tasks', 'data'] as const).map((view) => (
                <a key={view} href={hrefOf(view)}>
                  {views[view]} at this moment
                </a>
              ))}
              {at > 0 && <a href={hrefOf('requests', { n: at, until: at })}>Why this answer</a>}
            </p>
            <p class="muted">A fork is a new organization; a link restores all of it in any mock.</p>
            {at === 0 && (
              <div class="row">
                <StateButtons />
              </div>
            )}
          </Card>
        </div>
      </div>
    </>
  )
}
