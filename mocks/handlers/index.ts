/** The handler of every operation. */

import { createLandingPage, generateCreative } from '../core/creatives.ts'
import { createFailure, Failure } from '../core/failure.ts'
import { createKey } from '../core/organization.ts'
import type { Document } from '../core/resources.ts'
import { createTask, isTaskFinished, startOrQueueRun, statusWordOf } from '../core/tasks.ts'
import { creditPacks, drawAdInsights, planTiers } from '../seed/organization.ts'
import * as views from './views.ts'

/** Maximum number of items in a list; the newest are returned. The specification defines no pagination. */
const longestList = 10_000

/** The functions that handle each operation, by operation id. */
export const handlers: views.Handlers = {
  // §4 Identity and keys
  whoami: ({ org }) => ({
    org: { id: org.id, name: org.name },
    plan: org.account.plan,
    credits: org.ledger.balance,
  }),

  createKey({ org, tenants, body, now }) {
    const key = createKey(org, body.name, org.newSecret(), now)
    tenants.admit(key, org)
    return { key: views.viewKey(key), secret: key.secret }
  },

  listKeys: ({ org }) => ({ keys: org.keys.newest(Infinity, (key) => !key.deleted).map(views.viewKey) }),

  deleteKey({ org, id }) {
    const key = org.keys.get(id)
    if (!key || key.deleted) return createFailure('not_found', 'No such key in this organization.')
    // A deleted key stays as a row, but opens nothing (§5.3).
    org.changes.change('keys', key, { deleted: true })
    return { ok: true }
  },

  // §4 Tasks
  listTasks({ org, now }) {
    const credits = org.ledger.balance
    const usedToday = org.ledger.usedToday(now)
    return {
      items: org.tasks.newest(longestList).map(views.createTaskViewer(org)),
      credits,
      usedToday,
      limit: usedToday + credits,
      remaining: credits,
    }
  },

  createTask: ({ org, body, now }) => ({
    task: views.createTaskViewer(org)(createTask(org, body.text, now)),
    credits: org.ledger.balance,
  }),

  getTask({ org, id, now }) {
    const task = org.tasks.get(id)
    if (!task) return createFailure('not_found', 'No such task in this organization.')
    if (task.run) org.agent.polled(task.run, now)
    return { task: views.createTaskViewer(org)(task), finished: isTaskFinished(task) }
  },

  runTask({ org, id, now, runOverrides }) {
    const task = org.tasks.get(id)
    if (!task) return createFailure('not_found', 'No such task in this organization.')
    const run = startOrQueueRun(org, task, now, runOverrides)
    if (run instanceof Failure) return run
    return {
      ok: true,
      taskId: task.id,
      runId: run.id,
      status: statusWordOf(org, task),
      finished: isTaskFinished(task),
    }
  },

  // §4 Documents
  listDocuments({ org, query }) {
    const folder = query.folder_id ?? null
    const matches = (document: Document) => query.all === '1' || document.folder_id === folder
    return { items: org.documents.newest(longestList, matches).map(views.viewDocumentInList) }
  },

  getDocument({ org, id }) {
    const document = org.documents.get(id)
    return document
      ? { item: views.viewDocument(document) }
      : createFailure('not_found', 'No such document in this organization.')
  },

  createDocument({ org, body, now }) {
    const document = org.documents.append({
      id: org.takeForetold('documents', ({ title }) => title === body.title)?.id ?? org.newId('document'),
      title: body.title,
      kind: body.kind ?? null,
      content_md: body.content_md ?? null,
      summary: body.summary ?? null,
      folder_id: body.folder_id ?? null,
      created_at: now,
    })
    return { item: views.viewDocument(document) }
  },

  // §4 Notifications
  listNotifications: ({ org }) => ({
    items: org.notifications.newest(longestList).map(views.viewNotification),
    unread: org.notifications.unread,
  }),

  readNotification({ org, id }) {
    const notification = org.notifications.get(id)
    if (!notification) return createFailure('not_found', 'No such notification in this organization.')
    org.notifications.markRead(notification)
    return { ok: true }
  },

  // §4 Extended route set
  listLeads: ({ org }) => ({
    connected: true,
    prospects: org.prospects.newest(longestList).map(views.viewProspect),
  }),

  generateCreative({ org, body, url, now, runOverrides }) {
    const creative = generateCreative(org, body, now, runOverrides?.outcome === 'failed')
    return creative instanceof Failure ? creative : views.viewCreative(creative, org, new URL(url).origin)
  },

  listLandingPages: ({ org }) => ({ items: org.landingPages.newest(longestList).map(views.viewLandingPage) }),

  createLandingPage: ({ org, body, now }) => views.viewLandingPage(createLandingPage(org, body, now)),

  listCampaigns: ({ org }) => ({
    connected: true,
    campaigns: org.campaigns.newest(longestList).map(views.viewCampaign),
  }),

  getInsights: ({ org, query }) => drawAdInsights(org.id, query.range ?? 'last_30d'),

  getWallet({ org }) {
    const { balance, currency, card_last4 } = org.account
    return {
      balance: { amount: balance, currency },
      funding: { type: 'card', last4: card_last4 },
      autoRecharge: { enabled: false, threshold: null },
    }
  },

  getBilling: ({ org }) => ({
    plan: org.account.plan,
    credits: org.ledger.balance,
    tiers: planTiers,
    packs: creditPacks,
  }),
}
