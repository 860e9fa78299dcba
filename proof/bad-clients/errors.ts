/** Clients that do not take an error for what it is: that pay when they should not, hammer, or give up. */
import { type BadClient, type BadClientRow, badClientsOfTable } from './bad-client.ts'
import {
  type AnswerToClient,
  addedHeadersFlaw,
  answerFlaw,
  type ConnectionFlaw,
  changedIdsFlaw,
  createErrorCodePredicate,
  isRunRequest,
  isTaskPoll,
  misreadAnswerFlaw,
  missingAnswerReactionFlaw,
  repeatedRequestFlaw,
  requestFlaw,
} from './flaws.ts'

/** Sends a paid request again whose answer was lost, after a pause in ms. */
const repeatsLostRun = (pause: number) =>
  missingAnswerReactionFlaw(
    (url) => isRunRequest({ url }),
    async ({ fetch, sleep }, url, init) => {
      await sleep(pause)
      return fetch(url, init)
    },
  )

/** The answer to a repeated run request, with a 409 taken for `busy`: it is about the same run, which goes on. */
const accepted = (answer: Response) =>
  answer.status === 409 ? Response.json({ error: 'busy', message: '' }, { status: 409 }) : answer

/** Repeats a run request whose answer was lost, and takes a 409 for the first attempt, which goes on. */
const repeatsLostRunAndWaits = missingAnswerReactionFlaw(
  (url) => isRunRequest({ url }),
  async ({ fetch }, url, init) => accepted(await fetch(url, init)),
)

/** Sends each request for a run on two connections, and takes the answer that comes. */
const requestsTwice: ConnectionFlaw = ({ fetch }) => ({
  async fetch(url, init) {
    if (!isRunRequest({ url })) return fetch(url, init)
    const [first, second] = await Promise.allSettled([fetch(url, init), fetch(url, init)])
    if (first.status === 'fulfilled') return first.value
    if (second.status === 'fulfilled') return accepted(second.value)
    throw first.reason
  },
})

/** Creates another task and runs it, where the answer to a run request was lost. `suffix`: what its text ends with. */
const startsAnew =
  (suffix = ''): ConnectionFlaw =>
  ({ fetch, baseUrl }) => {
    const created = new Map<string, RequestInit>()
    const inPlaceOf = new Map<string, string>()
    const create = async (init: RequestInit) => {
      const answer = await fetch(`${baseUrl}/api/cli/tasks`, init)
      const { task } = await answer.clone().json()
      const url = `${baseUrl}/api/cli/tasks/${encodeURIComponent(String(task?.id))}`
      created.set(url, init)
      return { answer, url }
    }
    return {
      async fetch(url, init) {
        if (init.body) return (await create(init)).answer
        const [task, run = ''] = url.split(/(\/run)$/)
        const text = created.get(task ?? '')
        return fetch((inPlaceOf.get(task ?? '') ?? task) + run, init).catch(async (error) => {
          if (run === '' || !text) throw error
          const other = await create({ ...text, body: String(text.body).replace(/"\}$/, `${suffix}$&`) })
          inPlaceOf.set(task ?? '', other.url)
          return fetch(other.url + run, init)
        })
      },
    }
  }

/** Trusts the balance that it read last rather than a 402, and repeats the request. */
const keepsBalance: ConnectionFlaw = (connection) => {
  let balance = 0
  return answerFlaw(async (answer, { sleep }) => {
    if (answer.url.endsWith('/whoami')) balance = Number(answer.body.credits)
    if (!createErrorCodePredicate('no_credits')(answer) || balance < 1) return answer.response
    await sleep(1_000)
    return (await answer.repeat()).response
  })(connection)
}

/** The time in `Retry-After` as whole seconds; undefined if it is a date, or if the answer is no 429. */
function secondsIn({ response }: AnswerToClient): number | undefined {
  const value = response.headers.get('retry-after') ?? ''
  return response.status === 429 && /^\d+$/.test(value) ? Number(value) : undefined
}

const isInSeconds = (answer: AnswerToClient) => secondsIn(answer) !== undefined
const isDated = (answer: AnswerToClient) => answer.response.status === 429 && !isInSeconds(answer)
const isUnavailable = createErrorCodePredicate('unavailable')

/** Sends each request without a credential first, and with it after a 401. */
const waitsToBeAsked: ConnectionFlaw = ({ fetch }) => ({
  async fetch(url, init) {
    const { authorization: _, ...headers } = init.headers as Record<string, string>
    const answer = await fetch(url, { ...init, headers })
    return answer.status === 401 ? fetch(url, init) : answer
  },
})

/** The bad clients that violate a rule about reacting to error answers. */
export const badErrorClients: readonly BadClient[] = badClientsOfTable({
  'stops-at-402 (out-of-credits)': {
    'retries-after-402': repeatedRequestFlaw(createErrorCodePredicate('no_credits'), 1_000),
    'keeps-first-balance': keepsBalance,
  },
  'stops-at-402 (top-up-and-recover)': {
    'goes-on-after-402': misreadAnswerFlaw(createErrorCodePredicate('no_credits'), () => ({
      error: 'invalid_request',
    })),
  },
  'pays-once no-blind-repeat (lost-answer-run-over)': {
    'repeats-lost-run-and-waits': repeatsLostRunAndWaits,
    'requests-runs-twice-at-once': { flaw: requestsTwice, elsewhere: ['finishes-work'] },
  },
  // The client takes the conflict with its own run for the end.
  'no-blind-repeat finishes-work (lost-answer)': {
    'repeats-lost-run': { flaw: repeatsLostRun(0), elsewhere: ['pays-once'] },
  },
  // By then the run is over.
  'pays-once no-blind-repeat (lost-answer)': {
    'repeats-lost-run-later': { flaw: repeatsLostRun(5_000), underQuirks: ['finishes-work'] },
  },
  'pays-once (lost-answer-run-over)': {
    'starts-anew': startsAnew(),
    'starts-anew-with-another-text': startsAnew(', once more'),
  },
  'waits-retry-after (rate-limited-burst)': {
    'ignores-retry-after': repeatedRequestFlaw(isInSeconds, 500, Infinity),
    'reads-retry-after-as-ms': repeatedRequestFlaw(isInSeconds, (answer) => secondsIn(answer) ?? 0, 20),
    'waits-a-second-at-most': repeatedRequestFlaw(
      isInSeconds,
      (answer) => Math.min(1_000, 1_000 * (secondsIn(answer) ?? 0)),
      Infinity,
    ),
  },
  'waits-retry-after-date (rate-limited-burst-date)': {
    'reads-seconds-only': repeatedRequestFlaw(isDated, 500, Infinity),
    // Its clock is an hour ahead of the date, which it therefore takes for a moment in the past.
    'reads-dates-as-local': repeatedRequestFlaw(isDated, 0, 10),
  },
  'retries-503 (temporary-outage)': {
    'gives-up-at-503': misreadAnswerFlaw(isUnavailable, () => ({ error: 'given_up' })),
    'takes-503-for-empty': misreadAnswerFlaw(
      (answer) => isUnavailable(answer) && answer.method === 'GET' && /\/(tasks|leads)$/.test(answer.url),
      () => ({ items: [], prospects: [] }),
      200,
    ),
  },
  'pauses-after-503 (temporary-outage)': {
    'hammers-at-503': repeatedRequestFlaw(isUnavailable, 5, 19),
    'backs-off-in-ms': repeatedRequestFlaw(isUnavailable, (_, times) => 2 ** times, 6),
  },
  'no-refused-repeat (no-extended-routes)': {
    'repeats-refused': repeatedRequestFlaw(createErrorCodePredicate('not_found'), 1_000),
  },
  'no-refused-repeat finishes-work (no-extended-routes)': {
    'repeats-refused-and-gives-up': answerFlaw(async (answer) => {
      if (!createErrorCodePredicate('not_found')(answer)) return answer.response
      await answer.repeat()
      return Response.json({ error: 'given_up', message: 'There are no leads.' }, { status: 400 })
    }),
  },
  'no-refused-repeat (rejected-task)': {
    'repeats-rejected-task': repeatedRequestFlaw(
      ({ url, response }) => url.endsWith('/tasks') && [400, 422].includes(response.status),
      1_000,
    ),
  },
  'stops-at-401 (deleted-key)': {
    'repeats-401': repeatedRequestFlaw(createErrorCodePredicate('unauthorized'), 1_000),
  },
  // The client claims success.
  'stops-at-401 finishes-work (deleted-key)': {
    'goes-on-after-401': misreadAnswerFlaw(
      createErrorCodePredicate('unauthorized'),
      () => ({ items: [], prospects: [], task: { id: 'none' }, finished: true }),
      200,
    ),
  },
  'stops-at-401 (slow-run)': { 'waits-to-be-asked': waitsToBeAsked },
})

/** Percent-encodes every byte that no path can hold. */
const percent = (bytes: Buffer) =>
  [...bytes]
    .map((byte) =>
      encodeURIComponent(String.fromCharCode(byte & 0x7f)).length > 1 || byte > 0x7f
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')

/** A flaw that writes the fields of bodies in another format. */
const writes = (body: (fields: Record<string, string>) => string): ConnectionFlaw =>
  requestFlaw((url, init) => [url, init.body ? { ...init, body: body(JSON.parse(String(init.body))) } : init])

/** A flaw that marks a notification as read once a task has finished, by a wrong id. */
const readsNotification =
  (id: string): ConnectionFlaw =>
  (connection) => {
    let isDone = false
    return answerFlaw(async (answer, { fetch, apiKey, baseUrl }) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      const ask = (method: string, path: string) =>
        fetch(`${baseUrl}/api/cli/notifications${path}`, { method, headers }).catch(() => undefined)
      if (isDone || !isTaskPoll(answer) || answer.body.finished !== true) return answer.response
      isDone = true
      const list = await ask('GET', '')
      if (list?.ok) await ask('POST', `/${id}/read`)
      return answer.response
    })(connection)
  }

/** A flaw that gives bodies another media type, or none. */
const declares = (type: string | undefined): BadClientRow => ({
  refusedBy: 'other-types-refused',
  flaw: requestFlaw((url, init) => {
    const { 'content-type': _, ...headers } = init.headers as Record<string, string>
    return [
      url,
      { ...init, headers: { ...headers, ...(type && { 'content-type': type }) }, ...bytesOf(init) },
    ]
  }),
})

/** The body as bytes, to which fetch gives no type of its own. */
const bytesOf = ({ body }: RequestInit) => (body ? { body: new TextEncoder().encode(String(body)) } : {})

/** Sends another request in place of the first one of a method, and that one after it where no route answers. */
const triesFirst =
  (
    method: string,
    change: (url: string, init: RequestInit) => [url: string, init: RequestInit],
  ): ConnectionFlaw =>
  ({ fetch }) => {
    let isTried = false
    return {
      async fetch(url, init) {
        if (isTried || init.method !== method) return fetch(url, init)
        isTried = true
        const answer = await fetch(...change(url, init))
        return answer.status === 404 ? fetch(url, init) : answer
      },
    }
  }

/** The bad clients that violate a rule about the content of requests. */
export const badRequestClients: readonly BadClient[] = badClientsOfTable({
  'key-in-header (second-variant)': {
    'puts-key-in-url': requestFlaw((url, init, { apiKey }) => [`${url}?api_key=${apiKey}`, init]),
    'puts-key-in-cookie': addedHeadersFlaw(({ apiKey }) => ({ cookie: `key=${apiKey}` })),
  },
  'keeps-key-secret (second-variant)': {
    'logs-headers': requestFlaw((url, init, { say }) => {
      say(`${init.method} ${url} ${JSON.stringify(init.headers)}`)
      return [url, init]
    }),
  },
  'no-organization-id (second-variant)': {
    'names-organization': addedHeadersFlaw(() => ({ 'x-org-id': 'mine' })),
    'asks-for-organization': requestFlaw((url, init) => [`${url}?organization_id=mine`, init]),
  },
  'sends-known-fields (second-variant)': {
    'sends-a-priority': {
      refusedBy: 'unknown-fields-refused',
      flaw: writes((fields) => JSON.stringify({ ...fields, priority: 1 })),
    },
    'asks-for-a-page': requestFlaw((url, init) => [init.method === 'POST' ? url : `${url}?page=1`, init]),
  },
  'uses-known-routes (second-variant)': {
    'tries-put-first': triesFirst('POST', (url, init) => [url, { ...init, method: 'PUT' }]),
    'asks-for-a-version': triesFirst('GET', (url, init) => [`${url}/version`, init]),
  },
  'uses-shown-ids (slow-run)': { 'reads-notification-0': readsNotification('0') },
  'sends-json (second-variant)': {
    'sends-forms': writes((fields) => new URLSearchParams(fields).toString()),
    'sends-bare-text': writes(({ text }) => JSON.stringify(text)),
  },
  'declares-json (second-variant)': {
    'sends-json-as-text': declares('text/plain;charset=UTF-8'),
    'sends-json-as-xml': declares('application/xml'),
    'sends-json-as-nothing': declares(undefined),
  },
  'encodes-ids (odd-ids)': {
    'puts-ids-in-paths-as-they-are': changedIdsFlaw((id) => id),
    'keeps-reserved-characters': changedIdsFlaw(encodeURI),
    'encodes-ids-twice': changedIdsFlaw((id) => encodeURIComponent(encodeURIComponent(id))),
    'encodes-ids-but-slashes': changedIdsFlaw((id) => encodeURIComponent(id).replaceAll('%2F', '/')),
    'encodes-ids-as-forms': changedIdsFlaw((id) => encodeURIComponent(id).replaceAll('%20', '+')),
    'encodes-ids-as-latin-1': changedIdsFlaw((id) => percent(Buffer.from(id, 'latin1'))),
    'encodes-ids-as-utf-8-of-utf-8': changedIdsFlaw((id) =>
      encodeURIComponent(Buffer.from(id).toString('latin1')),
    ),
    'replaces-odd-characters': changedIdsFlaw((id) => id.replaceAll(/[^\w.:~-]/g, '_')),
    'lowers-ids': changedIdsFlaw((id) => encodeURIComponent(id.toLowerCase())),
  },
})
