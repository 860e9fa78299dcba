/** The whole state of an organization as it was at an earlier position of its changes. */
import type { Organization } from '../../core/organization.ts'
import type { Run, Task } from '../../core/resources.ts'
import type { AgentState, OrganizationState } from '../../core/state.ts'
import { runsOfAgent } from '../snapshot/runs-of-agent.ts'
import type { Past } from './past.ts'

/** Returns the state of an organization in its past; `at`: the mock time then, ms since the epoch. */
export function stateAt(org: Organization, past: Past, at: number): OrganizationState {
  const now = org.dump()
  const tasks = past.all(org.tasks.all()).map((task): Task => ({ ...task, run: runIn(past, task.run) }))
  return {
    ...now,
    clock: { now: at, frozen: org.clock.frozen },
    arranged: { ...(past.valueOf(org.overrides) ?? org.overrides) },
    windows: org.limiter.dump((window) => past.valueOf(window) ?? window),
    chance: org.random.dump(past.valueOf(org.random.drawn) ?? undefined),
    ledger: past.all(now.ledger),
    keys: past.all(now.keys),
    tasks,
    documents: past.all(now.documents),
    notifications: past.all(now.notifications),
    creatives: past.all(now.creatives),
    landing_pages: past.all(now.landing_pages),
    agent: agentIn(org, past, tasks, at),
  }
}

function runIn(past: Past, run: Run | null): Run | null {
  return run && past.valueOf(run)
}

function agentIn(org: Organization, past: Past, tasks: readonly Task[], at: number): AgentState {
  const runs = tasks.flatMap(({ run }) => run ?? [])
  const { free_since, other_work_until } = past.valueOf(org.agent.times) ?? org.agent.times
  const ends = runs.flatMap(({ ended, ends_at }) => (ended && ends_at !== null ? [ends_at] : []))
  const freed = [free_since, ...ends].filter((moment) => moment <= at)
  const finite = (moment: number) => (Number.isFinite(moment) ? moment : null)
  return {
    ...runsOfAgent(tasks, org.ledger.entries),
    free_since: finite(freed.reduce((latest, one) => Math.max(latest, one), Number.NEGATIVE_INFINITY)),
    other_work_until: finite(other_work_until),
  }
}
