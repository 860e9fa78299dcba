/** The routes of the API (§4). */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { createAccess } from './access.ts'
import { createAgent } from './agent.ts'
import type { Bug, Has } from './bugs.ts'
import { now, openDatabase, type Row } from './database.ts'
import { problem } from './problem.ts'
import { changeState, losesAnswer } from './states.ts'

interface Env {
  Bindings: HttpBindings
  Variables: { org: unknown }
}

const image = '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="32" cy="32" r="32"/></svg>'
const lead = { id: 'lead_1', name: 'Ada Example', email: 'ada@example.com', phone: null }
const leads = [{ ...lead, createdTime: '2026-01-31T12:00:00Z', campaign: 'Spring' }]

/** Asks the service that screens texts before they are worked on. */
const screen = async (_text: unknown) => void (await sleep(3))

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const bytes = await c.req.arrayBuffer()
  try {
    if (bytes.byteLength > 1 << 20) throw new RangeError()
    const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch {}
  throw problem(400, 'invalid_request', 'The body must be a JSON object of at most 1 MiB.')
}

function found(row: Row | undefined): Row {
  if (row) return row
  throw problem(404, 'not_found', 'Your organization has nothing with this id.')
}

/** Creates the server's app; a run takes `runMs`, and `bug` is switched on. */
export function createService(bug: Bug, runMs: number) {
  const has: Has = (name) => name === bug
  const db = openDatabase()
  const agent = createAgent(db, has, runMs)
  const access = createAccess(db, has)
  const cache = new Map<string, Row>()
  const lists = new Map<unknown, Row[]>()
  const balances = new Map<unknown, { credits: number; until: number }>()
  const refused = new Map<unknown, number>()
  const flights = new Map<string, Promise<object>>()
  let latestOrg: unknown
  let latest: Record<string, unknown> = {}

  function text(value: unknown, name: string): string {
    if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value
    throw problem(422, 'invalid_request', `${name} must be a text.`)
  }

  const optional = (value: unknown, name: string) => ((value ?? '') === '' ? null : text(value, name))

  /** A row of another organization is as missing as one that does not exist (§7). */
  const own = (c: Context<Env>, table: string) =>
    found(db.one(`SELECT * FROM ${table} WHERE id = ? AND org_id = ?`, c.req.param('id'), c.get('org')))

  const order = has('oldest-hundred') ? 'LIMIT 100' : 'ORDER BY rowid DESC'
  const list = (c: Context<Env>, table: string) =>
    db.all(`SELECT * FROM ${table} WHERE org_id = ? ${order}`, c.get('org'))

  function creditsOf(org: unknown): number {
    const credits = Number(db.organization(org).credits)
    return has('balance-overflow') ? ((credits * 1e6) | 0) / 1e6 : credits
  }

  function shownCredits(org: unknown): number {
    const cached = balances.get(org)
    if (has('balance-cached') && cached && cached.until > Date.now()) return cached.credits
    balances.set(org, { credits: creditsOf(org), until: Date.now() + 5_000 })
    return creditsOf(org)
  }

  const isFinished = ({ status }: Row) => status === 'completed' || status === 'failed'

  /** Takes the credit for work on a text. */
  async function pay(org: unknown, prompt: unknown) {
    const before = creditsOf(org)
    await screen(prompt)
    const isRefused = has('paywall-cached') && Date.now() < (refused.get(org) ?? 0)
    if (isRefused) throw problem(402, 'no_credits', 'Go to the billing page.')
    if (before < 1) refused.set(org, Date.now() + 10_000)
    if (has('lost-update') && before >= 1) db.set(org, 'credits', before - 1)
    else if (has('check-then-charge') && before >= 1) db.set(org, 'credits', creditsOf(org) - 1)
    else agent.reserve(org)
  }

  const app = new Hono<Env>()
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    console.error(error)
    return c.json({ error: 'internal_error', message: 'Something went wrong.' }, 500)
  })
  app.notFound((c) => c.json({ error: 'not_found', message: 'There is no such route.' }, 404))
  app.get('/creatives/:name', (c) => c.body(image, 200, { 'content-type': 'image/svg+xml' }))
  app.post('/states', async (c) => {
    for (const memory of [balances, refused]) memory.clear()
    const change = await bodyOf(c)
    if (change.state === 'rate_limit') access.forgetCounts(Object(change.params).org_id)
    return c.json(await changeState(db, agent, change))
  })

  const api = app.basePath('/api/cli')
  api.use('*', async (c, next) => {
    if (/^\/api\/cli\/keys(?:\/|$)/.test(c.req.path)) {
      c.set('org', access.session(c.req.header('cookie')))
      return next()
    }
    const key = access.key(c.req.header('authorization'))
    c.set('org', key.org_id)
    latestOrg = key.org_id
    if (!has('limit-after-work')) access.count(key)
    if (db.organization(key.org_id).unavailable) throw problem(503, 'unavailable', 'Try again shortly.')
    await next()
    if (has('limit-after-work')) access.count(key)
    if (losesAnswer(db, key.org_id, `${c.req.method} ${c.req.path}`)) c.env.incoming.socket.destroy()
  })

  api.get('/whoami', async (c) => {
    const answer = async () => {
      const { id, name } = db.organization(c.get('org'))
      if (has('single-flight-by-path')) await sleep(3)
      return { org: { id, name }, plan: 'standard', credits: shownCredits(c.get('org')) }
    }
    const under = has('single-flight-by-path') ? flights.get(c.req.path) : undefined
    const flight = under ?? answer().finally(() => flights.delete(c.req.path))
    return c.json(await flights.set(c.req.path, flight).get(c.req.path))
  })

  api.get('/keys', (c) => {
    const shown = has('deleted-keys-listed') ? '' : 'AND deleted_at IS NULL'
    const columns = 'id, name, prefix, created_at, last_used_at'
    return c.json({ keys: db.all(`SELECT ${columns} FROM keys WHERE org_id = ? ${shown}`, c.get('org')) })
  })
  api.post('/keys', async (c) => {
    const [name, secret] = [text((await bodyOf(c)).name, 'name'), randomBytes(24).toString('base64url')]
    const { hash, ...key } = access.addKey(c.get('org'), name, secret)
    const newest = 'SELECT id FROM keys WHERE org_id = ?1 AND deleted_at IS NULL ORDER BY rowid DESC LIMIT 10'
    const trim = `UPDATE keys SET deleted_at = ?2 WHERE org_id = ?1 AND id NOT IN (${newest})`
    if (has('keys-at-most-ten')) db.change(trim, c.get('org'), now())
    return c.json({ key, secret }, 201)
  })
  api.delete('/keys/:id', (c) => {
    const key = own(c, 'keys')
    if (key.deleted_at !== null) found(undefined)
    db.change('UPDATE keys SET deleted_at = ? WHERE id = ?', now(), key.id)
    return c.json({ ok: true })
  })

  api.get('/tasks', (c) => {
    const org = c.get('org')
    const joined = 'SELECT tasks.* FROM tasks LEFT JOIN runs ON task_id = tasks.id WHERE tasks.org_id = ?'
    const rows = has('join-doubles') ? db.all(`${joined} ORDER BY tasks.rowid DESC`, org) : list(c, 'tasks')
    const before = has('list-cache-by-count') ? lists.get(org) : undefined
    const items = before?.length === rows.length ? before : rows
    lists.set(org, items)
    const usedToday = db.all("SELECT 1 FROM runs WHERE org_id = ? AND status <> 'failed'", org).length
    const remaining = shownCredits(org)
    return c.json({ items, usedToday, limit: usedToday + remaining, remaining })
  })
  api.post('/tasks', async (c) => {
    const content = text((await bodyOf(c)).text, 'text')
    await screen(content)
    const org = has('current-organization-global') ? latestOrg : c.get('org')
    const same = db.one('SELECT * FROM tasks WHERE org_id = ? AND text = ?', org, content)
    if (has('same-text-same-task') && same) return c.json({ task: same })
    const task = db.add('tasks', { org_id: org, text: content, status: 'pending', created_at: now() })
    const newest = 'SELECT id FROM tasks WHERE org_id = ?1 ORDER BY rowid DESC LIMIT 60'
    const trim = `DELETE FROM tasks WHERE org_id = ?1 AND id NOT IN (${newest})`
    if (has('retention-by-count')) db.change(trim, org)
    return c.json({ task }, 201)
  })
  api.get('/tasks/:id', (c) => {
    const cached = has('task-cache-before-owner') ? cache.get(c.req.param('id')) : undefined
    const task = cached ?? own(c, 'tasks')
    if (isFinished(task)) cache.set(c.req.param('id'), task)
    return c.json({ task, finished: isFinished(task) })
  })
  api.post('/tasks/:id/run', async (c) => {
    const [org, byId] = [c.get('org'), 'SELECT * FROM tasks WHERE id = ?']
    const find = () => (has('run-by-id-only') ? found(db.one(byId, c.req.param('id'))) : own(c, 'tasks'))
    const task = find()
    const isIdle = task.status !== 'waiting' && task.status !== 'in_progress'
    const paysFirst = has('check-then-charge') || has('lost-update') || has('paywall-cached')
    if (paysFirst && isIdle) await pay(org, task.text)
    const isSharing = has('shared-transaction') && !db.file.isTransaction
    if (isSharing) db.file.exec('BEGIN')
    try {
      await screen(task.text)
      const run = agent.request(org, find(), paysFirst)
      if (isSharing) db.file.exec('COMMIT')
      if (run.status === 'waiting') throw problem(409, 'busy', 'This run starts right after another.')
      return c.json({ ok: true, status: 'in_progress', runId: run.id })
    } catch (error) {
      if (isSharing && db.file.isTransaction) db.file.exec('ROLLBACK')
      throw error
    }
  })

  api.get('/documents', (c) => {
    const { folder_id: folder = null, all } = c.req.query()
    if (all === '1') return c.json({ items: list(c, 'documents') })
    const comparison = has('folder-like') && folder !== null ? 'folder_id LIKE ?' : 'folder_id IS ?'
    const empty = has('or-without-parentheses') && folder === null ? "OR folder_id = ''" : ''
    const sql = `SELECT * FROM documents WHERE org_id = ? AND ${comparison} ${empty} ${order}`
    return c.json({ items: db.all(sql, c.get('org'), folder) })
  })
  api.post('/documents', async (c) => {
    const body = has('defaults-mutated') ? { ...latest, ...(await bodyOf(c)) } : await bodyOf(c)
    latest = body
    const title = text(body.title, 'title').slice(0, has('varchar-255') ? 255 : undefined)
    const [kind, summary] = [optional(body.kind, 'kind'), optional(body.summary, 'summary')]
    const keepsEmpty = has('or-without-parentheses') && body.folder_id === ''
    const folder_id = keepsEmpty ? '' : optional(body.folder_id, 'folder_id')
    const content_md = optional(body.content_md, 'content_md')
    await screen(title)
    const org_id = has('current-organization-global') ? latestOrg : c.get('org')
    const same = 'DELETE FROM documents WHERE org_id = ? AND title = ? COLLATE NOCASE RETURNING id'
    const old = has('upsert-by-title') ? db.one(same, org_id, title) : undefined
    const fields = { org_id, title, kind, content_md, summary, folder_id, created_at: now() }
    return c.json({ item: db.add('documents', { ...old, ...fields }) }, 201)
  })
  api.get('/documents/:id', (c) => {
    const cached = has('document-cache-before-owner') ? cache.get(c.req.param('id')) : undefined
    const item = cached ?? own(c, 'documents')
    cache.set(c.req.param('id'), item)
    return c.json({ item })
  })

  api.get('/notifications', (c) => {
    const mine = has('mark-by-number-only') ? '' : 'AND org_id = notifications.org_id'
    const read = `EXISTS (SELECT 1 FROM read_marks WHERE id = notifications.id ${mine}) AS read`
    const sql = `SELECT *, ${read} FROM notifications WHERE org_id = ? ORDER BY id DESC`
    const items = db.all(sql, c.get('org')).map((row) => ({ ...row, read: row.read === 1 }))
    const counted = has('unread-of-page') ? items.slice(0, 20) : items
    return c.json({ items, unread: counted.filter((one) => !one.read).length })
  })
  api.post('/notifications/:id/read', (c) => {
    const { org_id, id } = own(c, 'notifications')
    const which = has('read-up-to') ? 'id <= ?' : 'id = ?'
    const marked = `SELECT org_id, id FROM notifications WHERE org_id = ? AND ${which}`
    db.change(`INSERT OR IGNORE INTO read_marks ${marked}`, org_id, id)
    return c.json({ ok: true })
  })

  api.post('/creative/generate', async (c) => {
    const prompt = text((await bodyOf(c)).prompt, 'prompt')
    const [org, artifactId] = [c.get('org'), randomUUID()]
    const isHeld = has('creative-shares-hold') && agent.isOccupied(org)
    if (!isHeld) await pay(org, prompt)
    if (db.organization(org).next_creative_fails) {
      db.set(org, 'next_creative_fails', 0)
      if (!isHeld) agent.refund(org, artifactId)
      throw problem(503, 'unavailable', 'The generation failed; your credit was returned.')
    }
    return c.json({ url: `/creatives/${artifactId}.svg`, artifactId })
  })

  api.get('/landing-pages', (c) => c.json({ items: list(c, 'sites') }))
  api.post('/landing-pages', async (c) => {
    const business_name = optional((await bodyOf(c)).business_name, 'business_name')
    const site = { org_id: c.get('org'), business_name, version: 1, published: 0 }
    return c.json(db.add('sites', site), 201)
  })
  api.get('/leads', (c) => c.json({ connected: true, prospects: leads }))
  api.get('/meta/campaigns', (c) => c.json({ connected: true, campaigns: [] }))
  api.get('/meta/insights', (c) => c.json({ impressions: 0, clicks: 0 }))
  api.get('/wallet', (c) => c.json({ balance: 0, funding: null, autoRecharge: false }))
  const offers = { plan: 'standard', tiers: [], packs: [] }
  api.get('/billing', (c) => c.json({ ...offers, credits: shownCredits(c.get('org')) }))

  return app.fetch
}
