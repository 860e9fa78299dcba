/**
 * The route table: all 21 routes of §4 by operation id, in its order. They are named one by one because the
 * members of a module come in alphabetical order.
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
