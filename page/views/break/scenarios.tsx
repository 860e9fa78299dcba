/** The scenarios as a gallery: one sentence each, started with one click. */
import type { Scenario } from '../../model/fault-rule.ts'
import { Button, Copy } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { change, goAfter } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { organization, scenarios } from '../../state/overview.ts'
import { keepState, undoable } from '../../state/undo.ts'

/** Starts a scenario for an organization, or for the whole mock. */
const start = ({ id, title }: Scenario, org_id: string | undefined) =>
  undoable(
    'Start the scenario',
    () => keepState(org_id),
    () =>
      goAfter(
        control<{ org_id: string | null }>(`POST /scenarios/${id}/start`, { body: { org_id } }),
        (answer) => change({ org: answer.org_id ?? undefined, at: undefined, task: undefined }),
      ),
    `Started: ${title}`,
  )

/** The card. */
export function ScenariosCard() {
  const org = organization.value
  return (
    <Card
      title="Scenarios"
      aside="a scenario replaces the state, faults and requests of what it is started for"
    >
      <ul class="gallery">
        {(scenarios.value ?? []).map((scenario) => (
          <li key={scenario.id} class="entry">
            <h3>{scenario.title}</h3>
            <p>{scenario.shows.split('. ')[0]?.replace(/\.?$/, '.')}</p>
            <div class="row">
              {org && (
                <Button
                  kind="small"
                  label={`${scenario.title}: start for ${org.key_name}`}
                  act={() => start(scenario, org.org_id)}
                >
                  Start for {org.key_name}
                </Button>
              )}
              <Button
                kind="small"
                label={`${scenario.title}: start for all`}
                act={() => start(scenario, undefined)}
              >
                Start for all
              </Button>
              <Copy
                what={`flag of ${scenario.title}`}
                label="flag"
                text={`${START} --scenario ${scenario.id}`}
              />
              <Copy
                what={`code of ${scenario.title}`}
                label="code"
                text={`createMock({ scenario: '${scenario.id}' })`}
              />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
