/** The handler of every operation. */
import { documents } from './documents.ts'
import { extended } from './extended.ts'
import type { Handlers } from './handler.ts'
import { identity } from './identity.ts'
import { notifications } from './notifications.ts'
import { tasks } from './tasks.ts'

/** The handlers of all operations. */
export const handlers: Handlers = { ...identity, ...tasks, ...documents, ...notifications, ...extended }
