/** Clients that do not do what follows after a run was accepted, poll it badly, or end by a list of statuses. */
import { type BadClient, badClientsOfTable, errorHidingClientRow } from './bad-client.ts'
import {
  type AnswerToClient,
  answerFlaw,
  type ClientConnection,
  type ConnectionFlaw,
  composeFlaws,
  createErrorCodePredicate,
  finishedTaskAnswer,
  isRunRequest,
  isTaskPoll,
  misreadAnswerFlaw,
  missingAnswerReactionFlaw,
  pollingFlaw,
  repeatedRequestFlaw,
  taskStatusText,
} from './flaws.ts'

/** Takes every 409 for an accepted run; gives up waiting after a while. */
const readsStatus = composeFlaws(
  misreadAnswerFlaw(
    (answer) => isRunRequest(answer) && answer.response.status === 409,
    () => ({ error: 'busy' }),
  ),
  pollingFlaw(async (_, ask, url, count) => (count > 30 ? finishedTaskAnswer() : ask(url))),
)

const pollsTheList = pollingFlaw(async (_, ask, url, count) => {
  const [, list = '', id = ''] = /^(.*\/tasks)\/([^/]+)$/.exec(url) ?? []
  const answer = await ask(list)
  if (!answer.ok) return answer
  const { items } = await answer.json()
  const task = items.find((one: { id: unknown }) => String(one.id) === decodeURIComponent(id))
  return count > 20 || ['completed', 'failed'].includes(taskStatusText(task))
    ? finishedTaskAnswer()
    : Response.json({ task, finished: false })
})

/** Requests the run of a task again after each poll that does not show its end. */
const pollsByRunningAgain = answerFlaw(async (look, { baseUrl, apiKey, fetch, sleep }) => {
  if (!isTaskPoll(look) || look.body.finished !== false) return look.response
  await sleep(700)
  const headers = { authorization: `Bearer ${apiKey}` }
  const path = new URL(look.url).pathname
  await fetch(`${new URL(baseUrl).origin}${path}/run`, { method: 'POST', headers })
  return look.response
})

/** Runs and polls the task at a place of the list in place of the one that it created; -1: the last. */
const runsTaskAtPlace =
  (place: 0 | -1): ConnectionFlaw =>
  ({ fetch, baseUrl, apiKey }) => {
    const inPlaceOf = new Map<string, string>()
    const headers = { authorization: `Bearer ${apiKey}` }
    return {
      async fetch(url, init) {
        const [, task, run = ''] = /^(.*\/tasks\/[^/]+?)(\/run)?$/.exec(url) ?? []
        if (task === undefined) return fetch(url, init)
        if (!inPlaceOf.has(task)) {
          const list = await fetch(`${baseUrl}/api/cli/tasks`, { method: 'GET', headers }).catch(
            () => undefined,
          )
          const { id } = (list?.ok && (await list.json()).items.at(place)) || {}
          inPlaceOf.set(task, id ? `${baseUrl}/api/cli/tasks/${encodeURIComponent(String(id))}` : task)
        }
        return fetch(inPlaceOf.get(task) + run, init)
      },
    }
  }

/** Creates each task twice at once, and goes on with the first. */
const createsTwiceAtOnce: ConnectionFlaw = ({ fetch }) => ({
  async fetch(url, init) {
    const isCreation = url.endsWith('/tasks') && init.method === 'POST'
    const [answer] = await Promise.all(isCreation ? [fetch(url, init), fetch(url, init)] : [fetch(url, init)])
    return answer
  },
})

/** Creates a task again, up to three times, while the list does not show it. */
const createsUntilListed: ConnectionFlaw = answerFlaw(async (answer, { fetch, baseUrl, apiKey, sleep }) => {
  const headers = { authorization: `Bearer ${apiKey}` }
  let created = answer
  const isCreation = answer.method === 'POST' && answer.url.endsWith('/tasks')
  for (let times = 0; times < 3 && isCreation && created.response.ok; times++) {
    const list = await fetch(`${baseUrl}/api/cli/tasks`, { method: 'GET', headers }).catch(() => undefined)
    if (!list?.ok) break
    const { items = [] } = await list.json()
    const { id } = Object(created.body.task)
    if (items.some((one: { id: unknown }) => one.id === id)) break
    await sleep(400)
    created = await created.repeat()
  }
  return created.response
})

/** A flaw that sleeps for only `ms` after each poll of a task. */
const pollsEvery =
  (ms: number): ConnectionFlaw =>
  (connection: ClientConnection) => {
    let looked = false
    return {
      ...answerFlaw(async (answer) => {
        looked = isTaskPoll(answer)
        return answer.response
      })(connection),
      sleep: (usual) => connection.sleep(looked ? ms : usual),
    }
  }

/** Decides by a status alone, in place of `finished`. */
const decidesBy = (isFinal: (status: string) => boolean): ConnectionFlaw =>
  misreadAnswerFlaw(isTaskPoll, ({ task }) => ({ finished: isFinal(taskStatusText(task)) }))

/** A long list of final statuses. */
const finalStatuses =
  'completed, failed, cancelled, succeeded, done, DONE, ERROR, error, delivered, gave_up'.split(', ')

const familiarStatuses = ['pending', 'queued', 'in_progress', 'completed', 'failed']

/** Caches answers as heuristic caches do: for a tenth of their age by Last-Modified. */
const guessesFreshness: ConnectionFlaw = ({ fetch, sleep }) => {
  const kept = new Map<string, { readonly answer: Response; readonly until: number }>()
  let slept = 0
  return {
    async sleep(ms) {
      slept += ms
      return sleep(ms)
    },
    async fetch(url, init) {
      const known = init.method === 'GET' ? kept.get(url) : undefined
      if (known && slept < known.until) return known.answer.clone()
      const answer = await fetch(url, init)
      const dateIn = (name: string) => Date.parse(answer.headers.get(name) ?? '')
      const age = dateIn('date') - dateIn('last-modified')
      const isKept = init.method === 'GET' && age > 0 && !answer.headers.has('cache-control')
      if (isKept) kept.set(url, { answer: answer.clone(), until: slept + age / 10 })
      return answer
    },
  }
}

/** The bad clients that violate a rule about runs and polls. */
export const badRunClients: readonly BadClient[] = badClientsOfTable({
  'waits-when-busy (busy-then-starts)': {
    'repeats-busy-run': repeatedRequestFlaw(createErrorCodePredicate('busy'), 1_000),
    'runs-again-when-idle': repeatedRequestFlaw(createErrorCodePredicate('busy'), 8_000, 1),
    'takes-busy-for-a-failure': misreadAnswerFlaw(createErrorCodePredicate('busy'), () => ({
      error: 'given_up',
    })),
  },
  'branches-on-error (two-conflicts)': { 'reads-status-409': readsStatus },
  'polls-task-by-id (slow-run)': { 'polls-the-list': pollsTheList },
  'pays-once no-blind-repeat (slow-run)': {
    // The client polls so after a 402 and after `busy`, too.
    'polls-by-running-again': {
      flaw: pollsByRunningAgain,
      elsewhere: ['stops-at-402', 'waits-when-busy'],
    },
  },
  'polls-the-service (cacheable-polls)': { 'polls-a-cache': guessesFreshness },
  'follows-runs (run-fails-and-refunds)': {
    'fires-and-forgets': pollingFlaw(async () => finishedTaskAnswer()),
  },
  'follows-runs (slow-run)': {
    'polls-five-times': pollingFlaw(async (_, ask, url, count) =>
      count > 5 ? finishedTaskAnswer() : ask(url),
    ),
  },
  'follows-runs finishes-work (slow-run)': {
    'ends-with-an-error-after-five-polls': pollingFlaw(async (_, ask, url, count) =>
      count > 5
        ? Response.json({ error: 'given_up', message: 'It takes too long.' }, { status: 400 })
        : ask(url),
    ),
  },
  'reads-finished (strict-client)': {
    'knows-statuses': decidesBy((status) => !['pending', 'queued', 'in_progress'].includes(status)),
  },
  'reads-finished (unknown-statuses)': {
    'knows-running-words': decidesBy((status) => !/pending|queue|wait|progress|run|work|new/i.test(status)),
    'knows-final-statuses': repeatedRequestFlaw(
      (look) =>
        isTaskPoll(look) &&
        look.body.finished === true &&
        !finalStatuses.includes(taskStatusText(look.body.task)),
      1_000,
      5,
    ),
    'ends-with-an-error-at-an-unknown-status': {
      flaw: misreadAnswerFlaw(
        (look) => isTaskPoll(look) && !familiarStatuses.includes(taskStatusText(look.body.task)),
        () => ({ error: 'unknown_status' }),
        500,
      ),
      // Beside an unknown status, an answer with other times may be what it stopped at.
      elsewhere: ['tolerates-extras', 'finishes-work'],
    },
    'waits-for-completed-or-failed': decidesBy((status) => ['completed', 'failed'].includes(status)),
    'knows-final-words': decidesBy((status) => /complet|fail|cancel|done|error|succe/i.test(status)),
  },
  'stops-polling (slow-run)': {
    'polls-for-ever': answerFlaw(async (look, { sleep }) => {
      for (let times = 0; times < 4 && isTaskPoll(look) && look.body.finished; times++) {
        await sleep(1_000)
        await look.repeat()
      }
      return look.response
    }),
  },
  'runs-own-tasks (slow-run)': {
    // Some services refuse to run a finished task again.
    'runs-the-last-of-a-list': { flaw: runsTaskAtPlace(-1), underQuirks: ['finishes-work'] },
  },
  'runs-own-tasks (unordered-lists)': {
    'runs-the-first-of-a-list': { flaw: runsTaskAtPlace(0), underQuirks: ['finishes-work'] },
  },
  'submits-once (slow-run)': { 'creates-twice-at-once': createsTwiceAtOnce },
  'trusts-creations (late-lists)': { 'creates-until-listed': createsUntilListed },
  'polls-sanely (slow-run)': {
    'polls-without-pause': pollsEvery(150),
    'reads-the-balance-in-a-loop': {
      flaw: answerFlaw(async (answer) => {
        for (let times = 0; times < 20 && answer.url.endsWith('/whoami'); times++) await answer.repeat()
        return answer.response
      }),
      elsewhere: ['waits-retry-after', 'waits-retry-after-date', 'pauses-after-503', 'stops-at-401'],
    },
  },
  'polls-sanely (run-fails-and-refunds)': { 'polls-in-ms': pollsEvery(30) },
})

/** Gives up at a rate limit, as if no retry helped. */
const givesUpAt429 = misreadAnswerFlaw(createErrorCodePredicate('rate_limited'), () => ({
  error: 'given_up',
}))

const isTaskList = ({ url, method }: AnswerToClient) => url.endsWith('/tasks') && method === 'GET'

/** Gives up where a route is missing. */
const needsLeads = misreadAnswerFlaw(createErrorCodePredicate('not_found'), () => ({ error: 'given_up' }))

const waitsForEver = missingAnswerReactionFlaw(
  () => true,
  async ({ sleep }) => {
    for (;;) await sleep(60_000)
  },
)

/** Waits until somebody adds credits, however long that takes. */
const waitsForCredits: ConnectionFlaw = answerFlaw(async (answer, { baseUrl, apiKey, fetch, sleep }) => {
  if (!createErrorCodePredicate('no_credits')(answer)) return answer.response
  const headers = { authorization: `Bearer ${apiKey}` }
  for (;;) {
    await sleep(60_000)
    const { credits } = await (await fetch(`${baseUrl}/api/cli/whoami`, { method: 'GET', headers })).json()
    if (credits >= 1) return (await answer.repeat()).response
  }
})

/** Reads page after page of a list until one is empty. */
const pagesForEver: ConnectionFlaw = answerFlaw(async (answer, { fetch, sleep, apiKey }) => {
  const headers = { authorization: `Bearer ${apiKey}` }
  for (let page = 2; isTaskList(answer) && answer.response.ok; page++) {
    await sleep(60_000)
    const more = await fetch(`${answer.url}?page=${page}`, { method: 'GET', headers })
    if (!more.ok) return more
    if ((await more.json()).items.length === 0) break
  }
  return answer.response
})

/** A flaw that takes unexpected answers for errors. */
const refuses = (isUnexpected: (answer: AnswerToClient) => boolean): ConnectionFlaw =>
  misreadAnswerFlaw(isUnexpected, () => ({ error: 'unexpected_answer' }), 400)

/** Expects that a list has a first item. */
const readsFirstItem = refuses(({ body }) => Array.isArray(body.items) && body.items.length === 0)

/** The bad clients that never end, or end before their work is done. */
export const badEndingClients: readonly BadClient[] = badClientsOfTable({
  'ends-in-time (lost-answer)': { 'waits-for-ever': waitsForEver },
  'ends-in-time sends-known-fields (slow-run)': { 'pages-for-ever': pagesForEver },
  'ends-in-time (out-of-credits)': { 'waits-for-credits': waitsForCredits },
  'goes-on-after-429 (rate-limited-burst)': { 'crashes-at-429': givesUpAt429 },
  'finishes-work (rate-limited-burst)': {
    'hides-errors': errorHidingClientRow(givesUpAt429),
  },
  'finishes-work (out-of-credits)': { 'claims-success': errorHidingClientRow(() => ({})) },
  'finishes-work (no-extended-routes)': {
    'needs-leads': needsLeads,
    'does-nothing-without-leads': errorHidingClientRow(needsLeads),
  },
  'finishes-work (empty-organization)': { 'reads-first-item': readsFirstItem },
})

const isWhoami = ({ url }: AnswerToClient) => url.endsWith('/whoami')

/** The bad clients that violate a rule about reading answers. */
export const badAnswerClients: readonly BadClient[] = badClientsOfTable({
  'tolerates-variants (second-variant)': {
    'knows-first-variant': pollingFlaw(({ response, body }, ask, url) =>
      ask(response.ok ? url.replace(/[^/]+$/, encodeURIComponent(String(body.taskId))) : url),
    ),
    'insists-on-credits': refuses(
      (answer) => isTaskList(answer) && answer.response.ok && !('credits' in answer.body),
    ),
    'insists-on-task-id': refuses(
      (answer) => isRunRequest(answer) && answer.response.ok && !('taskId' in answer.body),
    ),
  },
  'tolerates-extras finishes-work (strict-client)': {
    'refuses-extras': refuses(
      (answer) =>
        isWhoami(answer) &&
        Object.keys(answer.body).some((name) => !['org', 'plan', 'credits'].includes(name)),
    ),
    'refuses-null-name': refuses(
      (answer) => isWhoami(answer) && Reflect.get(Object(answer.body.org), 'name') === null,
    ),
    'refuses-plan-object': refuses((answer) => isWhoami(answer) && typeof answer.body.plan === 'object'),
    'refuses-201': refuses(({ response }) => response.status === 201),
  },
})
