/** Overview: every organization at a glance, and the controls of the one that is chosen. */
import { Loaded } from '../../parts/loaded.tsx'
import { moment } from '../../state/details.ts'
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
        {(state, org) => (
          <div class="halves">
            <div class="cards">
              <CreditsCard state={state} />
              {moment.value === '' && (
                <>
                  <AgentCard org={org} />
                  <ClockCard org={org} />
                  <LimitsCard org={org} />
                  <SettingsCard org={org} />
                </>
              )}
            </div>
            <BalanceCard ledger={state.ledger} now={state.at.time} />
          </div>
        )}
      </Loaded>
    </>
  )
}
