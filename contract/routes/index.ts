/** The route table: all 21 routes of §4 by operation id. */
import * as documents from './documents.ts'
import * as extended from './extended.ts'
import * as identity from './identity.ts'
import * as notifications from './notifications.ts'
import * as tasks from './tasks.ts'

export const routes = { ...identity, ...tasks, ...documents, ...notifications, ...extended }
