/** All organizations: credits, agent and key of each, and a form for a new one. */

import type { OrgView } from '../../model/answers.ts'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Choice, Field, Form } from '../../parts/form.tsx'
import { amount, count } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'
import { createOrganization, organization, organizations } from '../../state/overview.ts'

const agentStates = { idle: 'idle', busy: 'running', other_work: 'busy' }

/** The card. */
export function OrganizationsCard() {
  const all = [...organizations.value.values()]
  return (
    <Card title="Organizations" aside={count(all.length, 'organization')}>
      <ul class="tiles">
        {all.map((org) => (
          <Tile key={org.org_id} org={org} />
        ))}
      </ul>
      <details>
        <summary>New organization</summary>
        <NewOrganization />
      </details>
    </Card>
  )
}

function Tile({ org }: { readonly org: OrgView }) {
  const { org_id, key_name, name, credits, agent, unread } = org
  const here = organization.value?.org_id === org_id
  return (
    <li class="tile">
      <a href={hrefOf('overview', { org: org_id, at: undefined })} aria-current={here ? 'true' : undefined}>
        <strong>{key_name}</strong>
        <span class="muted">{name}</span>
        <span class="big number">{amount(credits)}</span>
        <span class="muted">
          {agentStates[agent.state]}
          {agent.queue.length > 0 && `, ${agent.queue.length} waiting`}
          {unread > 0 && `, ${amount(unread)} unread`}
        </span>
      </a>
      <Copy what={`key of ${key_name}`} text={org.api_key} label="Copy key" />
    </li>
  )
}

const outcomes = [
  ['', 'complete'],
  ['failed', 'fail'],
  ['0.5', 'fail half the time'],
] as const

function NewOrganization() {
  return (
    <Form label="New organization" usual={{ name: 'ada' }} button="Create" submit={createOrganization}>
      <Field name="name" label="Name" placeholder="ada" size={12} />
      <Field name="credits" label="Credits" type="number" min={0} size={6} />
      <Choice
        name="variant"
        label="Variant"
        options={[
          ['', 'of the mock'],
          ['first', 'first'],
          ['second', 'second'],
        ]}
      />
      <Choice name="runOutcome" label="Runs" options={outcomes} />
      <Field name="runDuration" label="Run takes" placeholder="2s" size={6} />
    </Form>
  )
}
