/** Data: everything else that an organization has, readable; what can be added can be added. */
import type { FunctionComponent } from 'preact'
import { Loaded } from '../../parts/loaded.tsx'
import { amount } from '../../parts/text.ts'
import { hrefOf, param } from '../../state/address.ts'
import { Campaigns, LandingPages, Prospects, Wallet } from './business.tsx'
import { Creatives } from './creatives.tsx'
import { Documents } from './documents.tsx'
import { Keys } from './keys.tsx'
import { Notifications } from './notifications.tsx'
import type { Shown } from './shown.ts'

interface Kind {
  readonly title: string
  readonly show: FunctionComponent<Shown>
}

const kinds = {
  documents: { title: 'Documents', show: Documents },
  notifications: { title: 'Notifications', show: Notifications },
  keys: { title: 'API keys', show: Keys },
  creatives: { title: 'Creatives', show: Creatives },
  landing_pages: { title: 'Landing pages', show: LandingPages },
  campaigns: { title: 'Campaigns', show: Campaigns },
  prospects: { title: 'Prospects', show: Prospects },
  wallet: { title: 'Wallet', show: Wallet },
} satisfies Record<string, Kind>

type KindId = keyof typeof kinds

/** The view. */
export const ResourcesView = () => <Loaded>{(all, org) => <Data all={all} org={org} />}</Loaded>

function Data({ all, org }: Shown) {
  const word = param('kind')
  const kind: KindId = word in kinds ? (word as KindId) : 'documents'
  const Rows = kinds[kind].show
  return (
    <>
      <nav class="tabs" aria-label="Data">
        {(Object.keys(kinds) as KindId[]).map((id) => (
          <a
            key={id}
            href={hrefOf('data', { kind: id, at: param('at') })}
            aria-current={id === kind ? 'page' : undefined}
          >
            {kinds[id].title} {id !== 'wallet' && <span class="muted number">{amount(all[id].length)}</span>}
          </a>
        ))}
      </nav>
      <Rows all={all} org={org} />
    </>
  )
}
