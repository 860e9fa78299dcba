/**
 * The route table: all 21 routes of §4 by operation id, in the order of §4. Each is imported by name because
 * the members of a module namespace are sorted alphabetically.
 */
import { createDocument, getDocument, listDocuments } from './documents.ts'
import {
  createLandingPage,
  generateCreative,
  getBilling,
  getInsights,
  getWallet,
  listCampaigns,
  listLandingPages,
  listLeads,
} from './extended.ts'
import { createKey, deleteKey, listKeys, whoami } from './identity.ts'
import { listNotifications, readNotification } from './notifications.ts'
import { createTask, getTask, listTasks, runTask } from './tasks.ts'

/** Every route of the API, by operation id. */
export const routes = {
  whoami,
  createKey,
  listKeys,
  deleteKey,
  listTasks,
  createTask,
  getTask,
  runTask,
  listDocuments,
  getDocument,
  createDocument,
  listNotifications,
  readNotification,
  listLeads,
  generateCreative,
  listLandingPages,
  createLandingPage,
  listCampaigns,
  getInsights,
  getWallet,
  getBilling,
}
