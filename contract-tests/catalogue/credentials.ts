/** §5: what a credential decides, and that it is looked at before anything else. */

import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import type { Ask, Client } from '../client/client.ts'
import { NotExercised } from '../client/finding.ts'
import { twin, validAsks } from '../evidence/calls.ts'
import { unknownLike } from '../evidence/ids.ts'
import { newTask, sharedDocument, sharedTask } from '../evidence/resources.ts'
import type { TestContext } from '../harness/context.ts'
import {
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  needRefused,
  refusals,
} from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { creates } from './families.ts'

/** Requests with a second fault beside the missing key. */
const faulty: readonly {
  readonly operation: 'getTask' | 'getDocument' | 'createTask' | 'createDocument'
  readonly fault: string
  readonly ask: (t: TestContext) => Promise<Ask>
}[] = [
  {
    operation: 'getTask',
    fault: 'of an unknown task',
    ask: async (t) => ({ id: unknownLike((await sharedTask(t)).id) }),
  },
  {
    operation: 'getDocument',
    fault: 'of an unknown document',
    ask: async (t) => ({ id: unknownLike((await sharedDocument(t)).id) }),
  },
  { operation: 'createTask', fault: 'without text', ask: async () => ({ body: {} }) },
  { operation: 'createDocument', fault: 'without title', ask: async () => ({ body: {} }) },
]

const keyFirst = faulty.map(({ operation, fault, ask }) =>
  probe(
    `AUTH-FIRST-${operation}`,
    'MUST',
    '§5.3',
    operation,
    `${operation} ${fault} and without an API key is answered 401 unauthorized: the key comes first.`,
    async (t) => {
      await twin(t, operation)
      needRefused(await t.nobody.call(operation, await validAsks[operation](t)), refusals.unauthorized)
      expectRefused(await t.nobody.call(operation, await ask(t)), refusals.unauthorized)
    },
    { writes: creates(operation) },
  ),
)

/** Ways to name an organization beside a key; none is in the specification. */
function mentions(org: string): Ask[] {
  const queries = ['org_id', 'organization_id', 'org'].map((name) => ({ query: { [name]: org } }))
  const names = ['x-org-id', 'x-organization-id']
  return /^[\x21-\x7e]+$/.test(org)
    ? [...queries, ...names.map((name) => ({ headers: { [name]: org } }))]
    : queries
}

/** The second organization, naming the first one along with its own key. */
async function mentionMine(
  t: TestContext,
  client: Client,
  operation: 'whoami' | 'listTasks',
): Promise<Exchange[]> {
  const answers: Exchange[] = []
  for (const ask of mentions(await t.orgId())) answers.push(await client.call(operation, ask))
  return answers.filter(isAccepted)
}

/** Judges that a task which the other organization creates is its own, whatever organization its body names. */
async function expectOwn(t: TestContext, client: Client): Promise<void> {
  const org = await t.orgId()
  if (!isAccepted(await t.call('getTask', { id: (await newTask(t)).id }))) return
  for (const name of ['org_id', 'organization_id', 'org']) {
    const text = t.name('Task')
    const made = await client.call('createTask', { body: { text, [name]: org } })
    const id = idOf(field(made.json, 'task', 'id'))
    if (!isAccepted(made) || id === undefined) continue
    const theirs = await client.call('getTask', { id })
    if (isAccepted(theirs)) continue
    const mine = await t.call('getTask', { id })
    const moved = isAccepted(mine) && field(mine.json, 'task', 'text') === text
    expectThat(!moved, 'a task of the organization of the key', 'one of that in the body', made, mine)
  }
}

export const credentials: Requirement[] = [
  ...keyFirst,

  probe(
    'AUTH-MALFORMED',
    'MUST',
    '§5.1, §5.3',
    'whoami',
    'An Authorization header that holds no API key is answered 401 unauthorized.',
    async (t) => {
      await twin(t, 'whoami')
      for (const authorization of ['Bearer', 'Basic Og==', 'Bearer Bearer'])
        expectRefused(await t.as('stranger', { authorization }).call('whoami'), refusals.unauthorized)
    },
  ),

  probe(
    'AUTH-ORGANIZATION-SENT',
    'MUST',
    '§5.2',
    null,
    'An organization identifier that is sent along opens no other organization than that of the key.',
    async (t) => {
      const own = idOf(field(needAccepted(await t.other.call('whoami')).json, 'org', 'id'))
      if (need(own, 'org.id of the second key') === (await t.orgId()))
        throw new NotExercised(
          'both keys are of one organization',
          '--other-api-key of a second organization',
        )
      const { id } = await newTask(t)
      const told = await mentionMine(t, t.other, 'whoami')
      const lists = await mentionMine(t, t.other, 'listTasks')
      await expectOwn(t, t.other)
      if (told.length + lists.length === 0)
        throw new NotExercised('an organization identifier that is sent along is refused')
      for (const exchange of told)
        expectSame(idOf(field(exchange.json, 'org', 'id')), own, 'org.id', exchange)
      const plain = needAccepted(await t.other.call('listTasks'))
      if (items(plain).some((item) => idOf(field(item, 'id')) === id))
        throw new NotExercised(`the other organization lists ${id} anyway`)
      for (const exchange of lists) {
        const mine = items(exchange).some(
          (item) => idOf(field(item, 'id')) === id && JSON.stringify(item).includes(t.runId),
        )
        expectThat(
          !mine,
          `items without ${id}, which is of another organization`,
          'it is among them',
          exchange,
        )
      }
    },
    { writes: true, needs: ['other_key'] },
  ),
]
