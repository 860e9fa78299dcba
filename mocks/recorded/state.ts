/**
 * The state of an organization before a recording began, and the future that it foretells, which explain its answers.
 */
import { type JsonObject, valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { newKeyRow } from '../core/organization.ts'
import type {
  LedgerEntry,
  OrganizationState,
  PredictedIdsAndRuns,
  RunOutcome,
  Task,
} from '../core/resources.ts'
import { newRunRow, newTaskRow } from '../core/tasks.ts'
import {
  asEpochMs,
  asRowId,
  asString,
  defaultRunMs,
  isActiveStatusWord,
  isFailedStatusWord,
  isFinalStatusWord,
  isRecordedSecret,
  objectsInList,
  predictedRunEnd,
  type RebuildCorrections,
  type RecordedRequest,
  type RecordedRun,
  recordedStatusWords,
  runsInRecording,
  tasksInRecording,
  toRowNumber,
} from './traffic.ts'

/**
 * Works out the state of an organization before a recording, and the numbers of the unanswered requests that took
 * effect. `base`: an empty organization; `entries`: all requests of one organization.
 */
export function stateFromRecording(
  name: string,
  base: OrganizationState,
  entries: readonly RecordedRequest[],
  corrections: RebuildCorrections,
): { readonly state: OrganizationState; readonly took: ReadonlySet<number> } {
  const [start = 0] = entries.map(({ at }) => at)
  const [tasks, tookTasks] = tasksInRecording(entries)
  const [runs, tookRuns] = runsInRecording(entries, tasks, corrections)
  const old = [...tasks.values()].filter(({ isOld }) => isOld)
  const ledger: LedgerEntry[] = []
  const entry = (kind: LedgerEntry['kind'], amount: number, at: number, subject: string | null) => {
    const one = { id: `entry_${ledger.length + 1}`, kind, amount, at, subject, request_id: null }
    ledger.push(one)
    return one
  }
  let active: string | null = null
  const rows = inOrder(old).map((task): Task => {
    const { id, text, looks, item } = task
    const created_at = asEpochMs(valueAtPath(item, 'created_at')) ?? start - 60_000
    const row = {
      ...newTaskRow(id, text, created_at),
      description: asString(valueAtPath(item, 'description')) ?? null,
    }
    const [first] = looks
    const later = looks.find(({ finished }) => finished !== undefined)
    const own = runs.filter(({ task_id }) => task_id === id)
    const isEnded =
      first !== undefined &&
      (first.finished ??
        (isFinalStatusWord(first.status) ||
          (own.length === 0 && later?.finished === true && !isActiveStatusWord(first.status))))
    const goesOn = !isEnded && first !== undefined && isActiveStatusWord(first.status) && active === null
    if (!isEnded && !goesOn) return row
    const outcome: RunOutcome = isFailedStatusWord(
      (isEnded ? first : looks.findLast(({ finished }) => finished))?.status ?? '',
    )
      ? 'failed'
      : 'completed'
    const started = Math.min(created_at, start)
    const ended = looks.find((one) => one.finished)?.at ?? start + defaultRunMs
    const subject = `run_of_${id}`
    entry('top_up', 1, started, null)
    const reserve = entry('reserve', -1, started, subject)
    if (isEnded && outcome === 'failed') {
      entry('refund', 1, started, subject)
      entry('top_up', -1, started, null)
    }
    if (goesOn) active = id
    const ends_at = isEnded ? (first.ended ?? started) : ended - 1
    const run = {
      ...newRunRow(subject, id, started, reserve),
      ...{ duration_ms: Math.max(0, ends_at - started), destined: outcome },
      ...{ started_at: started, ends_at, outcome, ended: isEnded },
    }
    return { ...row, run }
  })
  entry(
    'top_up',
    creditsBefore(
      entries,
      runs.map(({ at }) => at),
    ) + (corrections.credits.get(name) ?? 0),
    start,
    null,
  )
  const whoami = entries.find((one) => one.operation === 'whoami' && one.isSuccess)?.json
  const [notifications, coming] = notificationsIn(entries, runs)
  const foretold: PredictedIdsAndRuns = {
    tasks: [...tasks.values()].filter(({ isOld }) => !isOld).map(({ id, text }) => ({ id, text })),
    runs: runs.map((run, i) => predictedRunEnd(run, i, runs, tasks.get(run.task_id), corrections)),
    documents: createdIn(entries, 'createDocument', ['item']).map(({ id, sent }) => ({
      id,
      title: asString(valueAtPath(sent, 'title')) ?? '',
    })),
    keys: createdIn(entries, 'createKey', ['key']).map(({ id, sent, json }) => {
      const secret = asString(valueAtPath(json, 'secret'))
      return { id, name: asString(valueAtPath(sent, 'name')), ...(isRecordedSecret(secret) && { secret }) }
    }),
    notifications: coming,
    creatives: createdIn(entries, 'generateCreative', []).map(({ id }) => ({ id })),
    landing_pages: createdIn(entries, 'createLandingPage', []).map(({ id, json }) => ({
      id,
      subdomain: asString(valueAtPath(json, 'subdomain')),
    })),
  }
  const status_words = recordedStatusWords(entries, tasks, runs, foretold.runs)
  const state: OrganizationState = {
    ...base,
    id: asRowId(valueAtPath(whoami, 'org', 'id')) ?? base.id,
    name: asString(valueAtPath(whoami, 'org', 'name')) ?? base.name,
    account: accountIn(base, entries, whoami),
    arranged: { ...base.arranged, foretold, status_words },
    ledger,
    tasks: rows,
    documents: documentsIn(entries),
    notifications,
    keys: keysIn(base, entries),
    agent: { ...base.agent, active },
    ...extendedIn(entries),
  }
  return { state, took: new Set([...tookTasks, ...tookRuns]) }
}

function accountIn({ account }: OrganizationState, entries: readonly RecordedRequest[], whoami: unknown) {
  const wallet = entries.find(({ operation, isSuccess }) => operation === 'getWallet' && isSuccess)?.json
  return {
    plan: asString(valueAtPath(whoami, 'plan')) ?? account.plan,
    balance: toRowNumber(valueAtPath(wallet, 'balance', 'amount')) ?? account.balance,
    currency: asString(valueAtPath(wallet, 'balance', 'currency')) ?? account.currency,
    card_last4: asString(valueAtPath(wallet, 'funding', 'last4')) ?? account.card_last4,
  }
}

/** Things in the order of their creation, from lists that show the newest first. */
const inOrder = <T extends { readonly item: object }>(things: readonly T[]): T[] =>
  things
    .toReversed()
    .toSorted(
      (a, b) =>
        (asEpochMs(valueAtPath(a.item, 'created_at')) ?? 0) -
        (asEpochMs(valueAtPath(b.item, 'created_at')) ?? 0),
    )

/** The balance at the start: the first one that an answer shows, plus what was paid until then. */
function creditsBefore(entries: readonly RecordedRequest[], runs: readonly number[]): number {
  const paid = [
    ...runs,
    ...entries.filter((one) => one.operation === 'generateCreative' && one.isSuccess).map(({ at }) => at),
  ]
  const told = entries.find((one) => one.isSuccess && creditsShownBy(one) !== undefined)
  const isShort = entries.some(({ status }) => status === 402)
  if (!told) return isShort ? paid.length : Math.max(25, paid.length)
  return (creditsShownBy(told) ?? 0) + paid.filter((at) => at < told.at).length
}

/** The balance that a recorded answer contains, credits; undefined: it contains none. */
export function creditsShownBy({
  operation,
  json,
}: Pick<RecordedRequest, 'operation' | 'json'>): number | undefined {
  const isTold = ['whoami', 'createTask', 'listTasks', 'getBilling'].includes(operation)
  return isTold ? toRowNumber(valueAtPath(json, 'credits')) : undefined
}

function createdIn(
  entries: readonly RecordedRequest[],
  operation: RecordedRequest['operation'],
  path: readonly string[],
) {
  return entries.flatMap((one) => {
    const { json, requestBody } = one
    const thing = valueAtPath(json, ...path) ?? json
    const id =
      one.operation === operation && one.isSuccess
        ? asRowId(
            valueAtPath(thing, 'id') ?? valueAtPath(json, 'site', 'id') ?? valueAtPath(json, 'artifactId'),
          )
        : undefined
    return id === undefined ? [] : [{ id, json, sent: parseJson(requestBody) }]
  })
}

/** The items of lists and of single answers, by id, without those that were created during the recording. */
function oldIn(
  entries: readonly RecordedRequest[],
  list: RecordedRequest['operation'],
  name: string,
  create?: RecordedRequest['operation'],
  read?: RecordedRequest['operation'],
) {
  const created = new Set(
    create ? createdIn(entries, create, [name === 'keys' ? 'key' : 'item']).map(({ id }) => id) : [],
  )
  const found = new Map<string, Record<string, unknown>>()
  for (const one of entries) {
    const shown =
      one.operation === list
        ? objectsInList(one.json, name)
        : one.operation === read
          ? [Object(valueAtPath(one.json, 'item'))]
          : []
    for (const item of one.isSuccess ? shown : []) {
      const id = asRowId(valueAtPath(item, 'id'))
      if (id !== undefined && !created.has(id)) found.set(id, { ...found.get(id), ...item })
    }
  }
  return inOrder(
    [...found].map(([id, item]) => ({ id, item, at: asEpochMs(item.created_at) ?? entries[0]?.at ?? 0 })),
  )
}

/** A row with the texts of a recorded item, in fields where `usual` has a text or null. */
const told = <Row extends object>(usual: Row, item: JsonObject): Row =>
  Object.fromEntries(
    Object.entries(usual).map(([name, value]) => {
      const isText = value === null || typeof value === 'string'
      return [name, (isText ? asString(item[name]) : undefined) ?? value]
    }),
  ) as Row

const documentsIn = (entries: readonly RecordedRequest[]): OrganizationState['documents'] =>
  oldIn(entries, 'listDocuments', 'items', 'createDocument', 'getDocument').map(({ id, item, at }) =>
    told(
      { id, title: '', kind: null, content_md: null, summary: null, folder_id: null, created_at: at },
      item,
    ),
  )

/** The keys from before the recording: that of a new organization, those that were sent, and those of lists. */
function keysIn(base: OrganizationState, entries: readonly RecordedRequest[]): OrganizationState['keys'] {
  const created = new Set(
    createdIn(entries, 'createKey', ['key']).map(({ json }) => asString(valueAtPath(json, 'secret'))),
  )
  const sent = new Set(
    entries.flatMap(({ secret, status }) =>
      secret !== undefined && !created.has(secret) && status !== 401 ? secret : [],
    ),
  )
  const rest = [...sent].filter((secret) => base.keys.every((key) => key.secret !== secret))
  const shown = oldIn(entries, 'listKeys', 'keys', 'createKey')
  const all = [...base.keys.map(({ secret }) => secret), ...rest]
  const used = new Set<string>()
  const own = all.map((secret, i) => {
    const found = shown.find(
      ({ id, item }) => !used.has(id) && secret.startsWith(asString(item.prefix) ?? '\0'),
    )
    if (found) used.add(found.id)
    return newKeyRow(
      found?.id ?? base.keys[i]?.id ?? `key_${i}`,
      asString(found?.item.name) ?? 'First key',
      secret,
      found?.at ?? entries[0]?.at ?? 0,
    )
  })
  const others = shown
    .filter(({ id }) => !used.has(id))
    .map(({ id, item, at }) =>
      newKeyRow(id, asString(item.name) ?? '', `${asString(item.prefix) ?? ''}… ${id}`, at),
    )
  return [...own, ...others]
}

/** The notifications from before the recording, and those that runs added during it. */
function notificationsIn(
  entries: readonly RecordedRequest[],
  runs: readonly RecordedRun[],
): [OrganizationState['notifications'], PredictedIdsAndRuns['notifications']] {
  const marked = new Set<string>()
  const seen = new Map<
    string,
    { id: string; item: JsonObject; at: number; isOfRun: boolean; read: boolean }
  >()
  let isFirst = true
  for (const one of entries) {
    if (!one.isSuccess) continue
    if (one.operation === 'readNotification') marked.add(decodedPathId(one) ?? '')
    if (one.operation !== 'listNotifications') continue
    for (const item of objectsInList(one.json, 'items').toReversed()) {
      const [id, task_id] = [asRowId(item.id), asRowId(item.task_id)]
      if (id === undefined || seen.has(id)) continue
      const isOfRun = runs.some(
        (run) => run.at < one.at && (task_id === undefined ? !isFirst : run.task_id === task_id),
      )
      const read = item.read === true && !marked.has(id)
      seen.set(id, { id, item: { ...item, task_id }, at: one.at, isOfRun, read })
    }
    isFirst = false
  }
  const { old = [], coming = [] } = Object.groupBy(seen.values(), ({ isOfRun }) =>
    isOfRun ? 'coming' : 'old',
  )
  return [
    old.map(({ id, item, at, read }) => {
      const created_at = asEpochMs(item.created_at) ?? at
      return told({ id, type: 'notice', title: '', body: '', task_id: null, created_at, read }, item)
    }),
    coming.map(({ id, item }) => {
      const texts = { type: asString(item.type), title: asString(item.title), body: asString(item.body) }
      return { id, ...(item.task_id === undefined ? {} : { task_id: asString(item.task_id) }), ...texts }
    }),
  ]
}

/** Resources of the extended routes, as far as answers show them. */
function extendedIn(
  entries: readonly RecordedRequest[],
): Partial<Pick<OrganizationState, 'prospects' | 'campaigns' | 'landing_pages'>> {
  const prospects = oldIn(entries, 'listLeads', 'prospects')
  const campaigns = oldIn(entries, 'listCampaigns', 'campaigns')
  const pages = oldIn(entries, 'listLandingPages', 'items', 'createLandingPage')
  return {
    prospects: prospects.map(({ id, item, at }) => {
      const created_at = asEpochMs(item.createdTime) ?? at
      return told({ id, name: '', email: '', phone: null, created_at, campaign: null }, item)
    }),
    campaigns: campaigns.map(({ id, item, at }) => {
      const status = item.status === 'PAUSED' ? 'PAUSED' : 'ACTIVE'
      const daily_budget = toRowNumber(Number(item.daily_budget)) ?? 0
      return { id, name: asString(item.name) ?? '', status, daily_budget, created_at: at }
    }),
    landing_pages: pages.map(({ id, item, at }) => {
      const { spec = null, strategy = null } = item
      const version = toRowNumber(Number(item.version)) || 1
      const apart = { spec, strategy, version, published: item.published === true, created_at: at }
      return told({ id, business_name: '', subdomain: id, page_type: 'lead', ...apart }, item)
    }),
  }
}
