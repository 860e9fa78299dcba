/** §1, §5.2: a key belongs to one organization, which sees nothing of another. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { identified, show } from '../matching.ts'
import type { Organization } from '../state.ts'
import { isEmpty } from '../texts.ts'
import { type Rule, rule } from '../violation.ts'
import { hold } from './found.ts'

const isolated = (
  operation: OperationId,
  requirement: string,
  anchor: string,
  kind: 'task' | 'document',
  shown: (json: unknown) => readonly { readonly id: string; readonly item: unknown }[],
): Rule =>
  rule({
    id: `isolated-${operation}`,
    requirement,
    anchor,
    operations: [operation],
    judge(own, { answer, tenant }, { organizations }) {
      if (!isSuccess(answer) || organizations.size < 2) return undefined
      const others = [...organizations].filter(([name]) => name !== tenant).map(([, org]) => org)
      for (const { id, item } of shown(answer.json)) {
        const thing = others.map((org) => thingOf(org, kind, id)).find((one) => one?.born)
        const text = thing && field(item, kind === 'task' ? 'text' : 'title')
        if (!thing?.born || isEmpty(text) || thing.name?.value !== text || thingOf(own, kind, id)?.born)
          continue
        return { expected: 'nothing of another organization', actual: show(text), because: [thing.born.by] }
      }
      return true
    },
  })

const thingOf = (org: Organization, kind: 'task' | 'document', id: string) => {
  if (kind === 'document') {
    const document = org.documents.get(id)
    return document && { born: document.born, name: document.fields.title }
  }
  const task = org.tasks.get(id)
  return task && { born: task.born, name: task.text }
}

const single = (member: string) => (json: unknown) => {
  const item = field(json, member)
  const id = idOf(field(item, 'id'))
  return id === undefined ? [] : [{ id, item }]
}

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
  isolated('getTask', 'ISOLATION-GET-TASK', 'error-not-found', 'task', single('task')),
  isolated('getDocument', 'ISOLATION-GET-DOCUMENT', 'error-not-found', 'document', single('item')),
  isolated('listTasks', 'ISOLATION-LIST-TASKS', 'organization-by-credential', 'task', identified),
  isolated('listDocuments', 'ISOLATION-LIST-DOCUMENTS', 'organization-by-credential', 'document', identified),
]
