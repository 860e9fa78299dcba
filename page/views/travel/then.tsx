/** The organization at the moment: what it had, and where to see all of it. */
import { Card } from '../../parts/card.tsx'
import { Chart, pointsOf } from '../../parts/chart.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { amount, momentOf } from '../../parts/text.ts'
import { hrefOf, param } from '../../state/address.ts'

/** How many tasks are shown. */
const most = 8

/** The card. */
export function Then() {
  const at = param('at')
  return (
    <Loaded>
      {({ credits, agent, tasks, ledger, at: { time } }) => (
        <Card
          title={at === '' ? 'Now' : `After request #${at}`}
          aside={<span class="muted number">{momentOf(time)}</span>}
        >
          <p class="huge number">{amount(credits)}</p>
          <p class="muted">credits; agent {agent.active === null ? 'idle' : 'running'}</p>
          <Chart label="Balance" points={pointsOf(ledger)} end={Date.parse(time)} />
          <h3>Tasks</h3>
          <ul class="entries">
            {tasks.slice(0, most).map(({ id, text, status }) => (
              <li key={id} class="entry row">
                <span class={`tag ${status}`}>{status}</span>
                <a class="clip grow" href={hrefOf('tasks', { task: id, at })}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
          <p class="row">
            <a href={hrefOf('overview', { at })}>Overview</a>
            <a href={hrefOf('tasks', { at })}>all {amount(tasks.length)} tasks</a>
            <a href={hrefOf('data', { at })}>documents and the rest</a>
            {at !== '' && <a href={hrefOf('requests', { n: at, until: at })}>why this answer</a>}
          </p>
        </Card>
      )}
    </Loaded>
  )
}
