/** §5.2: requests that name an organization: only that of the credential counts. */

import { type Exchange, hasSuccessStatus, idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { NotExercised, rethrowUnlessNotExercised, Violation } from '../client/check-errors.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { findWorkingKey, newKeyUsedAtOnce } from '../fixtures/key-use.ts'
import { createdKeyIn, requestKeyCreation } from '../fixtures/keys.ts'
import { assumeOtherOrganization } from '../fixtures/organizations.ts'
import { createLandingPage, sharedDocument, sharedTask } from '../fixtures/resources.ts'
import { assumeSharedResourceRead } from '../fixtures/valid-requests.ts'
import { bearerHeader, isHeaderSafe, type TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumePresent,
  consequenceError,
  expectSame,
  expectThat,
  findItem,
} from '../harness/expect.ts'
import { createdIdIn } from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { documentKindDefinition, type ResourceKindDefinition, taskKindDefinition } from './resource-kinds.ts'

const parameters = ['org_id', 'organization_id', 'org']
const every = (names: readonly string[], value: string) =>
  Object.fromEntries(names.map((name) => [name, value]))

/**
 * Ways to name an organization in a request, none of them specified: all in one request, with its session, then each
 * kind.
 */
function mentions(org: string, session: string | undefined): readonly [CallOptions, ...CallOptions[]] {
  const query = every(parameters, org)
  if (!isHeaderSafe(org)) return [{ query }]
  const headers = every(['x-org-id', 'x-organization-id'], org)
  const cookie: Record<string, string> = session === undefined ? {} : { cookie: session }
  return [{ query, headers: { ...headers, ...cookie } }, { query }, { headers }]
}

type ListOperation = 'listTasks' | 'listDocuments' | 'listNotifications' | 'listLandingPages'

/** The accepted responses to the second key in requests that name the first organization. */
async function sendMentions(
  t: TestContext,
  client: Client,
  operation: 'whoami' | ListOperation,
): Promise<Exchange[]> {
  const [together, ...each] = mentions(await t.orgId(), t.settings.sessionCookie)
  const first = await client.call(operation, together)
  if (hasSuccessStatus(first)) return [first]
  // A service may refuse parameters or headers that it does not know.
  const answers: Exchange[] = []
  for (const ask of each) answers.push(await client.call(operation, ask))
  return answers.filter(hasSuccessStatus)
}

/**
 * The second key's lists, requested in the name of the first organization. @throws Violation if one has its resource
 * `id`.
 */
async function listsOf(
  t: TestContext,
  operation: ListOperation,
  { id, exchange: made }: { readonly id: string; readonly exchange: Exchange },
): Promise<Exchange[]> {
  const tags = t.run.tagsIn(made.requestBody ?? '')
  return listsWithout(t, operation, id, (item) => tags.some((tag) => JSON.stringify(item).includes(tag)))
}

/**
 * The second key's lists, requested in the name of the first organization. @throws Violation if one has the item `id`
 * that `isSame`.
 */
async function listsWithout(
  t: TestContext,
  operation: ListOperation,
  id: string,
  isSame: (item: unknown) => boolean,
): Promise<Exchange[]> {
  const isMade = (item: unknown) => idAsText(valueAtPath(item, 'id')) === id && isSame(item)
  const lists = await sendMentions(t, t.other, operation)
  for (const exchange of lists.filter((list) => itemsOf(list).some(isMade))) {
    if (findItem(assumeAccepted(await t.other.call(operation)), id) !== undefined)
      throw new NotExercised(`the list of the other organization contains ${id} anyway`)
    const expected = `items without ${id}, which is of another organization`
    throw new Violation(expected, 'the list contains it', exchange)
  }
  return lists
}

/**
 * The second key's notifications, requested in the name of the first organization. @throws Violation if that
 * organization's newest is among them.
 */
async function notificationListsOf(t: TestContext): Promise<Exchange[]> {
  // Other clients of a shared organization make and read notifications meanwhile.
  if (t.settings.shared) return []
  const [newest] = assumeItems(await t.call('listNotifications'))
  const id = idAsText(valueAtPath(newest, 'id'))
  if (id === undefined) return []
  const isSame = (item: unknown) =>
    ['title', 'body', 'task_id'].every((name) => valueAtPath(item, name) === valueAtPath(newest, name))
  return listsWithout(t, 'listNotifications', id, isSame)
}

/** Requires what the second key creates to belong to that key's organization, whichever one the request names. */
async function expectOwn(t: TestContext, client: Client, kind: ResourceKindDefinition): Promise<void> {
  const org = await t.orgId()
  const { name, create, read, member, body: bodyOf } = kind
  await assumeSharedResourceRead(t, read)
  // A service may refuse fields that it does not know, so each is tried if all together are refused.
  const query = every(parameters, org)
  const together = { query, fields: query }
  const asks = [together, { query, fields: {} }, ...parameters.map((name) => ({ fields: { [name]: org } }))]
  for (const ask of asks) {
    const { fields, ...more } = ask
    const made = await client.call(create, { ...more, body: { ...bodyOf(t), ...fields } })
    const id = idAsText(valueAtPath(made.json, member, 'id'))
    if (!hasSuccessStatus(made) || id === undefined) continue
    const theirs = await client.call(read, { id })
    if (hasSuccessStatus(theirs)) {
      if (ask === together) return
      continue
    }
    const mine = await t.call(read, { id })
    const tags = t.run.tagsIn(made.requestBody ?? '')
    const isMoved = hasSuccessStatus(mine) && tags.some((tag) => mine.text.includes(tag))
    expectThat(
      !isMoved,
      `a ${name} of the organization of the key`,
      `a ${name} of the organization that the request names`,
      made,
      mine,
    )
  }
}

/**
 * The answers of whoami to keys that the first organization's session created by requests naming the second one: by its
 * id and its key, or by each alone if both together are refused.
 */
async function whoamiOfKeysNaming(t: TestContext, org: string): Promise<Exchange[]> {
  if (!t.settings.sessionCookie) return []
  const plain = assumePresent((await newKeyUsedAtOnce(t)).working, 'a created key that works').exchange
  if (idAsText(valueAtPath(plain.json, 'org', 'id')) !== (await t.orgId()))
    throw consequenceError('KEY-WORKS', 'a created key is of another organization')
  const ids = every(parameters, org)
  const theirs = bearerHeader(t.settings.otherApiKey ?? '')
  const ask = async (fields: Record<string, string>, headers: Record<string, string>) => {
    const client: Pick<Client, 'call'> = {
      call: (operation, options) => t.session.call(operation, { ...options, headers }),
    }
    const made = await requestKeyCreation(t, { ...fields, name: t.name('Key') }, client)
    return hasSuccessStatus(made) ? [(await findWorkingKey(t, createdKeyIn(t, made))).exchange] : []
  }
  const together = await ask(ids, theirs)
  return together.length > 0 ? together : [...(await ask(ids, {})), ...(await ask({}, theirs))]
}

/**
 * The requirement that an organization id in a request gives no access: only the organization of the credential
 * counts.
 */
export const ignoredOrganizationIdRequirement: Requirement = must('AUTH-ORGANIZATION-SENT', '§5.2', null, {
  writes: true,
  needs: ['other_key'],
})
  .tests('organization-by-credential', 'organization-from-key')
  .explains('KEY-WORKS', 'ISOLATION-LIST-KEYS')
  .states('An organization id sent with a request gives no access to any organization but that of the key.')
  .experiment('comparison', async (t) => {
    const own = await assumeOtherOrganization(t)
    const reports = await sendMentions(t, t.other, 'whoami')
    const lists = [
      ...(await listsOf(t, 'listTasks', await sharedTask(t))),
      ...(await listsOf(t, 'listDocuments', await sharedDocument(t))),
    ]
    const page = await createLandingPage(t).catch(rethrowUnlessNotExercised)
    const pageId = page && createdIdIn(page.exchange)
    if (page && pageId) lists.push(...(await listsOf(t, 'listLandingPages', { id: pageId, ...page })))
    lists.push(...((await notificationListsOf(t).catch(rethrowUnlessNotExercised)) ?? []))
    for (const kind of [taskKindDefinition, documentKindDefinition]) await expectOwn(t, t.other, kind)
    for (const exchange of await whoamiOfKeysNaming(t, own))
      expectSame(idAsText(valueAtPath(exchange.json, 'org', 'id')), await t.orgId(), 'org.id', exchange)
    if (reports.length + lists.length === 0)
      throw new NotExercised('requests that name an organization are refused')
    for (const exchange of reports)
      expectSame(idAsText(valueAtPath(exchange.json, 'org', 'id')), own, 'org.id', exchange)
  })
