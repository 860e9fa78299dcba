/** §1, §5.2: an organization sees nothing of another, and changes nothing of it. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, areApart, isSuccess } from '../event.ts'
import { brief, identified, intervalOf, isBefore, isEmpty, mayFall, show, telling } from '../matching.ts'
import type { Interval, Organization, State, Told } from '../state.ts'
import { ofEach, type Rule, required, rule } from '../violation.ts'
import { keyRoutes, used } from './keys.ts'
import { mayHaveRun, nothing, tasksIn } from './tasks.ts'

type Kind = 'task' | 'document' | 'key' | 'page'

/** Whose texts name each kind of thing in answers. */
const names: Readonly<Record<Kind, string>> = {
  task: 'text',
  document: 'title',
  key: 'name',
  page: 'business_name',
}

const isolated = (
  operation: OperationId,
  requirement: string,
  anchor: string,
  kind: Kind,
  shown: (json: unknown) => readonly { readonly id: string; readonly item: unknown }[],
  isMeant: (event: Answered) => boolean = () => true,
): Rule =>
  rule(requirement.toLowerCase().replace('isolation', 'isolated'), requirement, anchor, [operation]).judge(
    (own, event, state) => {
      const { answer, tenant } = event
      if (!isSuccess(answer) || state.organizations.size < 2 || !isMeant(event)) return undefined
      return ofEach(shown(answer.json), event, ({ id, item }) => {
        const text = field(item, names[kind])
        if (isEmpty(text) || thingOf(own, kind, id)?.born) return undefined
        const same = thingsOfOthers(state, tenant, kind, id).find(({ born, name }) => born && name === text)
        return same && required(false, 'nothing of another organization', show(text), same.born?.by)
      })
    },
  )

/** A thing of an organization, by its id. */
function thingOf(
  org: Organization | undefined,
  kind: Kind,
  id: string,
): { born?: Interval | undefined; name: unknown } | undefined {
  if (kind === 'key') return [...(org?.keys.values() ?? [])].findLast((key) => key.id === id)
  if (kind === 'page') return org?.pages.get(id)
  const task = kind === 'task' ? org?.tasks.get(id) : undefined
  const document = kind === 'document' ? org?.documents.get(id) : undefined
  if (task) return { born: task.born, name: task.text?.value }
  return document && { born: document.born, name: document.fields.title?.value }
}

/** The things of other organizations with an id. */
const thingsOfOthers = ({ owners, organizations }: State, tenant: string | null, kind: Kind, id: string) =>
  (owners.get(`${kind} ${id}`) ?? [])
    .filter((owner) => areApart(owner, tenant))
    .flatMap((owner) => thingOf(organizations.get(owner), kind, id) ?? [])

/** An error says nothing of another organization's thing that it is about. */
const unmentioned = (
  operation: 'getTask' | 'getDocument' | 'runTask',
  requirement: string,
  kind: 'task' | 'document',
): Rule =>
  rule(`unmentioned-${operation}`, requirement, 'organization-by-credential', [operation]).judge(
    (own, { answer, tenant, resource = '' }, state) => {
      if (isSuccess(answer) || thingOf(own, kind, resource)?.born) return undefined
      const [{ born, name } = {}] = thingsOfOthers(state, tenant, kind, resource)
      if (typeof name !== 'string' || name.length < telling) return undefined
      const mention = textsIn(answer.json).find((text) => text.includes(name))
      return required(mention === undefined, 'nothing of another organization', show(mention), born?.by)
    },
  )

const single = (member: string) => (json: unknown) => {
  const item = field(json, member)
  const id = idOf(field(item, 'id'))
  return id === undefined ? [] : [{ id, item }]
}

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string'
      ? [value]
      : []

/** Whether an organization has a task with a text. */
const hasText = ({ tasks }: Organization, value: string) =>
  tasks.values().some(({ text }) => text?.value.trim() === value)

/** The texts that are part of another one, with who told them. */
function* partsOf(whole: string, told: State['told']): Generator<readonly [string, readonly Told[]]> {
  for (const [length, texts] of told)
    for (let at = 0; at + length <= whole.length; at++) {
      const part = whole.slice(at, at + length)
      const tellers = texts.get(part)
      if (tellers) yield [part, tellers]
    }
}

export const isolation: readonly Rule[] = [
  isolated('getTask', 'ISOLATION-GET-TASK', 'error-not-found', 'task', single('task')),
  isolated('getDocument', 'ISOLATION-GET-DOCUMENT', 'error-not-found', 'document', single('item')),
  unmentioned('getTask', 'ISOLATION-GET-TASK', 'task'),
  unmentioned('getDocument', 'ISOLATION-GET-DOCUMENT', 'document'),
  unmentioned('runTask', 'ISOLATION-RUN-TASK', 'task'),
  isolated('listTasks', 'ISOLATION-LIST-TASKS', 'organization-by-credential', 'task', identified),
  ...(['DOCUMENTS', 'FILED', 'UNFILED'] as const).map((kind) =>
    isolated(
      'listDocuments',
      `ISOLATION-LIST-${kind}`,
      'organization-by-credential',
      'document',
      identified,
      ({ query = {} }) =>
        kind === ('all' in query ? 'DOCUMENTS' : 'folder_id' in query ? 'FILED' : 'UNFILED'),
    ),
  ),
  isolated('listKeys', 'ISOLATION-LIST-KEYS', 'organization-by-credential', 'key', (json) =>
    identified(json, 'keys'),
  ),
  isolated(
    'listLandingPages',
    'ISOLATION-LIST-LANDING-PAGES',
    'organization-by-credential',
    'page',
    identified,
  ),
  rule('isolated-listNotifications', 'ISOLATION-LIST-NOTIFICATIONS', 'organization-by-credential', [
    'listNotifications',
  ]).judge((own, { answer, tenant }, { told }) => {
    if (!isSuccess(answer)) return undefined
    const fresh = identified(answer.json).filter(({ id }) => !own.notifications.get(id)?.seen)
    // Its own id may be that of a task as well.
    for (const shown of fresh.flatMap(({ item }) => textsIn({ ...Object(item), id: undefined })))
      for (const [value, tellers] of partsOf(shown, told)) {
        const other = tellers.find((one) => areApart(one.tenant, tenant))
        if (!other || own.tasks.has(value) || hasText(own, value)) continue
        return { expected: 'nothing of another organization', actual: show(shown), because: [other.born.by] }
      }
    return (
      [...told.values()].some((texts) =>
        texts.values().some(([first]) => first !== undefined && areApart(first.tenant, tenant)),
      ) || undefined
    )
  }),
  rule(
    'isolated-readNotification',
    'ISOLATION-READ-NOTIFICATION',
    'notification-marking',
    ['listNotifications'],
    { others: true },
  ).judge(({ notifications }, event) => {
    const at = intervalOf(event)
    const isTried = [...notifications.values()].some(({ foreign }) => foreign.length > 0)
    return ofEach(isTried ? identified(event.answer.json) : undefined, event, ({ id, item }) => {
      const { unread, read, marks = [], foreign = [] } = notifications.get(id) ?? {}
      const mark = unread && foreign.find((one) => mayFall(one, unread, at))
      if (!mark || read || marks.some((one) => mayFall(one, unread, at))) return undefined
      const expected = `read: false of ${id}, which only another organization marked`
      return required(field(item, 'read') !== true, expected, 'read: true', unread.by, mark.by)
    })
  }),
  rule('isolated-runTask', 'ISOLATION-RUN-TASK', 'error-not-found', ['getTask', 'listTasks'], {
    others: true,
  }).judge(({ tasks }, event) => {
    const at = intervalOf(event)
    const isTried = [...tasks.values()].some(({ foreign }) => foreign.length > 0)
    return ofEach(isTried ? tasksIn(event) : undefined, event, ({ id, item }) => {
      const { born, runs, foreign } = tasks.get(id) ?? nothing
      const run = foreign.find((one) => mayFall(one, one, at))
      const isFinished = field(event.answer.json, 'finished') === true
      const hasRun = isFinished || field(item, 'status') === 'in_progress'
      if (!born || !run || mayHaveRun(runs, at)) return undefined
      const expected = `a task that never ran: only another organization asked to run ${id}`
      return required(!hasRun, expected, isFinished ? 'finished: true' : 'in_progress', born.by, run.by)
    })
  }),
  rule('isolated-deleteKey', 'ISOLATION-DELETE-KEY', 'organization-by-credential', keyRoutes, {
    others: true,
  }).judge((org, event) => {
    const key = used(org, event)
    const at = intervalOf(event)
    const deletion = key?.foreign.find((one) => mayFall(one, key.born, at))
    if (!key?.works || !deletion || !isBefore(key.works, at)) return undefined
    if (key.deletions.some((one) => mayFall(one, key.born, at))) return undefined
    return required(
      event.answer.status !== 401,
      'a key that only another organization deleted',
      brief(event.answer),
      key.works.by,
      deletion.by,
    )
  }),
]

export const organizations: readonly Rule[] = [
  rule('organization-stable', 'AUTH-STABLE-ORGANIZATION', 'org-id', ['whoami']).judge(
    ({ id }, { answer }) => {
      const shown = idOf(field(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined || !id) return undefined
      return required(shown === id.value, `org.id: ${id.value}`, shown, id.by)
    },
  ),
  rule('organization-own', 'AUTH-ORGANIZATION', 'org-id', ['whoami']).judge(
    (_, { tenant, answer }, { organizations }) => {
      const shown = idOf(field(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined || organizations.size < 2) return undefined
      const twin = [...organizations].find(([name, { id }]) => name !== tenant && id?.value === shown)?.[1].id
      return required(!twin, 'an org.id of its own', `${shown}, as another organization`, twin?.by)
    },
  ),
]
