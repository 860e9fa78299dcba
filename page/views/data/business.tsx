/** Landing pages, campaigns, prospects and the wallet. */
import type { Item } from '../../model/answers.ts'
import { Card } from '../../parts/card.tsx'
import { Field, Form, type Values } from '../../parts/form.tsx'
import { Json } from '../../parts/json.tsx'
import { Longer } from '../../parts/longer.tsx'
import { callApi } from '../../state/calls.ts'
import { moment } from '../../state/details.ts'
import { attempt } from '../../state/notices.ts'
import type { Shown } from './shown.ts'

/** Landing pages, and a form for a new one. */
export function LandingPages({ all, org }: Shown) {
  const create = (values: Values) =>
    attempt('Create a landing page', () => callApi(org, 'POST /landing-pages', values))
  return (
    <Card title="Landing pages">
      {moment.value === '' && (
        <Form label="New landing page" usual={{ business_name: 'Ada' }} button="Create" submit={create}>
          <Field name="business_name" label="Business" placeholder="Ada" />
          <Field name="preferred_subdomain" label="Subdomain" />
          <Field name="page_type" label="Type" size={10} />
        </Form>
      )}
      <Items items={all.landing_pages} title="business_name" />
    </Card>
  )
}

/** Campaigns of the ad account. */
export const Campaigns = ({ all }: Shown) => (
  <Card title="Campaigns">
    <Items items={all.campaigns} title="name" />
  </Card>
)

/** Prospects. */
export const Prospects = ({ all }: Shown) => (
  <Card title="Prospects">
    <Items items={all.prospects} title="name" />
  </Card>
)

/** The wallet: read-only, as in the API. */
export const Wallet = ({ all }: Shown) => (
  <Card title="Wallet">
    <Json value={all.wallet} />
  </Card>
)

/** Rows under one of their fields, with every other field. */
function Items({ items, title }: { readonly items: readonly Item[]; readonly title: string }) {
  return (
    <Longer
      items={items}
      row={(item) => (
        <li key={item.id} class="entry">
          <strong>{String(item[title] ?? item.id)}</strong>
          <Json value={item} />
        </li>
      )}
    />
  )
}
