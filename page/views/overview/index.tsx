/** Overview: every organization at a glance, and the controls of the one that is chosen. */
import { Loaded } from '../../parts/card.tsx'
import { moment } from '../../state/requests.ts'
import { AgentCard, ClockCard, LimitsCard } from './controls.tsx'
import { BalanceCard, CreditsCard } from './credits.tsx'
import { OrganizationsCard, SettingsCard } from './organizations.tsx'

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
