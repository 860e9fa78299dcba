/** Overview: every organization at a glance, and the controls of the one that is chosen. */
import { Loaded } from '../../parts/loaded.tsx'
import { AgentCard } from './agent.tsx'
import { BalanceCard } from './balance.tsx'
import { ClockCard } from './clock.tsx'
import { CreditsCard } from './credits.tsx'
import { LimitsCard } from './limits.tsx'
import { OrganizationsCard } from './organizations.tsx'
import { SettingsCard } from './settings.tsx'

/** The view. */
export function OverviewView() {
  return (
    <>
      <OrganizationsCard />
      <Loaded>
        {({ org, ledger }) => (
          <div class="cards">
            <CreditsCard org={org} ledger={ledger} />
            <AgentCard org={org} />
            <ClockCard org={org} />
            <LimitsCard org={org} />
            <SettingsCard org={org} />
            <BalanceCard ledger={ledger} now={org.clock.now} />
          </div>
        )}
      </Loaded>
    </>
  )
}
