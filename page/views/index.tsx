/** The views by their names in the address. */
import type { FunctionComponent } from 'preact'
import type { View } from '../state/address.ts'
import { BreakView } from './break/index.tsx'
import { ResourcesView } from './data/index.tsx'
import { OverviewView } from './overview/index.tsx'
import { ReportsView } from './reports/index.tsx'
import { RequestsView } from './requests/index.tsx'
import { TasksView } from './tasks/index.tsx'
import { TravelView } from './travel/index.tsx'

/** What each view shows. */
export const viewOf: Readonly<Record<View, FunctionComponent>> = {
  overview: OverviewView,
  tasks: TasksView,
  data: ResourcesView,
  break: BreakView,
  requests: RequestsView,
  travel: TravelView,
  reports: ReportsView,
}
