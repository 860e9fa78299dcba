/** §2 Organization: a key belongs to one organization, which has an id of its own. */
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { hold, type Rule, rule } from '../violation.ts'

export const organizations: readonly Rule[] = [
  rule({
    id: 'organization-stable',
    requirement: 'AUTH-STABLE-ORGANIZATION',
    anchor: 'org-id',
    operations: ['whoami'],
    judge({ id }, { answer }) {
      const shown = idOf(field(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined || !id) return undefined
      return hold(shown === id.value, `org.id: ${id.value}`, shown, id.by)
    },
  }),
  rule({
    id: 'organization-own',
    requirement: 'AUTH-ORGANIZATION',
    anchor: 'org-id',
    operations: ['whoami'],
    judge(_, { tenant, answer }, { organizations }) {
      const shown = idOf(field(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      const twin = [...organizations].find(([name, { id }]) => name !== tenant && id?.value === shown)?.[1].id
      return hold(
        !twin,
        'an org.id of its own',
        `${shown}, as another organization`,
        ...(twin ? [twin.by] : []),
      )
    },
  }),
]
