/** Every history defect, by what a history must contain for it to show. */
import { atOnce } from './at-once.ts'
import { atOnceOrganizations } from './at-once-organizations.ts'
import { atOnceResources } from './at-once-resources.ts'
import { between } from './between.ts'
import { betweenResources } from './between-resources.ts'
import type { HistoryDefect, historyKinds } from './history-defect.ts'
import { longAgo } from './long-ago.ts'
import { many } from './many.ts'
import { often } from './often.ts'
import { oftenResources } from './often-resources.ts'
import { otherOrganization } from './other-organization.ts'
import { atOnceRows, betweenRows, longAgoRows, manyRows, oftenRows, whomRows } from './rows.ts'
import { whom } from './whom.ts'

export const historyDefects: Readonly<Record<keyof typeof historyKinds, readonly HistoryDefect[]>> = {
  often: [...oftenRows, ...often, ...oftenResources],
  many: [...manyRows, ...many],
  between: [...betweenRows, ...between, ...betweenResources],
  'at once': [...atOnceRows, ...atOnce, ...atOnceResources, ...atOnceOrganizations],
  'long ago': [...longAgoRows, ...longAgo],
  whom: [...whomRows, ...whom, ...otherOrganization],
}
