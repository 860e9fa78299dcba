/** What each part of the view gets. */
import type { OrgView, State } from '../../model/answers.ts'

/** The state, which may be of the past, and the organization now. */
export interface Shown {
  readonly all: State
  readonly org: OrgView
}
