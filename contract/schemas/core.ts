/** The values that several resources share, and the resources of the core set (§2, §4). */
import { z } from 'zod'

/** Schema of an id. The specification fixes no format, so clients treat it as opaque. */
export const identifier = z
  .union([z.string().min(1), z.number()])
  .describe('Opaque. Compare it as a string, and percent-encode it in paths.')

/** Schema of an id that may be missing: it is then null or an empty text (§2). */
export const emptyOrIdentifier = z
  .union([z.string(), z.number()])
  .nullable()
  .describe('An opaque identifier; null or an empty text: none.')

/** Schema of a field that must be present, and whose type the specification leaves open. */
export const requiredUnknownField = z.unknown().describe('Present; its content is unspecified.')

/** Schema of a timestamp in an unspecified format, or null. */
export const timestamp = z
  .union([z.string(), z.number(), z.null()])
  .describe('A timestamp, or null. Its format is unspecified.')

/** A non-negative integer. */
const count = z.int().min(0)

/** Work Credits that can be spent now; fractions are allowed (§2 Organization). */
const credits = z.number().describe('Work Credits that can be spent now (§2).')

/** Schema of a task status. The specification names only `in_progress`; other values are left open (§3). */
export const taskStatusField = z
  .string()
  .min(1)
  .describe(
    'The specification names only `in_progress` (§3). Read `finished` instead of keeping a list of final statuses (§3.1).',
  )

/** Schema of an organization (§2). */
export const organization = z.looseObject({ id: identifier, name: z.string().nullable() })

/** Schema of the response of `whoami`. */
export const whoami = z.looseObject({
  org: organization,
  plan: z.union([z.string(), z.looseObject({})]).describe('The current plan: its name or an object.'),
  credits,
})

/** Schema of a success body without data (§4). */
export const acknowledgement = z.looseObject({ ok: z.boolean() })

/** Schema of the request body of `createKey` (§4 Identity and keys). */
export const newKey = z.object({ name: z.string().min(1).describe('Label of the key.') })

/** Schema of the response of `createKey`, the only one that contains the secret (§5.5). */
export const createdKey = z.looseObject({
  key: z
    .union([z.string().min(1), z.looseObject({})])
    .describe('The key, or an object that describes it; the bearer value is `secret`.'),
  secret: z.string().min(1).describe('The bearer value. No other response contains it.'),
})

/** Schema of an API key as lists show it, without its secret. */
export const key = z.looseObject({
  id: identifier,
  name: z.string().nullable(),
  prefix: z.string().describe('Leading part of the key.'),
  last_used_at: timestamp,
})

/** Schema of the response of `listKeys`. */
export const keyList = z.looseObject({ keys: z.array(key) })

/** Schema of the request body of `createTask` (§4 Tasks). */
export const newTask = z.object({
  text: z.string().min(1).describe('What the agent should do, as free text.'),
})

/** Schema of a task (§2 Task). */
export const task = z.looseObject({
  id: identifier,
  text: z.string(),
  description: z.string().nullable(),
  status: taskStatusField,
})

const tasks = z.array(task)

/** Schemas of the response of `listTasks`, by variant. */
export const taskListByVariant = {
  first: z.looseObject({ items: tasks, credits }),
  second: z.looseObject({
    items: tasks,
    usedToday: z.number().describe('Unit and reset time are unspecified (§8.3).'),
    limit: z.number(),
    remaining: z.number(),
  }),
}

/** Schemas of the response of `createTask`, by variant. */
export const createdTaskByVariant = {
  first: z.looseObject({ task, credits }),
  second: z.looseObject({ task }),
}

/** Schema of the response of `getTask`. */
export const taskDetail = z.looseObject({
  task,
  finished: z.boolean().describe('True if the status of the task is final.'),
})

/** Schemas of the response of `runTask`, by variant. */
export const runByVariant = {
  first: z.looseObject({
    taskId: identifier,
    status: taskStatusField,
    finished: z.boolean().describe('True if the run has already ended.'),
  }),
  second: z.looseObject({ ok: z.boolean(), status: taskStatusField, runId: identifier }),
}

/** Schema of the request body of `createDocument` (§4 Documents). */
export const newDocument = z.object({
  title: z.string().min(1),
  kind: z.string().optional(),
  content_md: z.string().optional().describe('Markdown.'),
  summary: z.string().optional(),
  folder_id: z.string().optional(),
})

/** Schema of the query of `listDocuments` (§4 Documents). */
export const documentFilter = z.object({
  folder_id: z.string().optional().describe('Only documents in this folder.'),
  all: z.literal('1').optional().describe('`1`: documents in every folder and outside folders.'),
})

/** Schema of a document (§2 Document). A list may omit `content_md` and `summary`. */
export const document = z.looseObject({
  id: identifier,
  title: z.string(),
  kind: z.string().nullish(),
  content_md: z.string().nullish(),
  summary: z.string().nullish(),
  folder_id: emptyOrIdentifier.optional(),
})

/** Schema of the response of `listDocuments`. */
export const documentList = z.looseObject({ items: z.array(document) })
/** Schema of the response of `getDocument` and `createDocument`. */
export const documentDetail = z.looseObject({ item: document })

/** Schema of a notification (§2 Notification). */
export const notification = z.looseObject({
  id: identifier,
  read: z.boolean().describe('False until the notification is marked as read (§3.4).'),
})

/** Schema of the response of `listNotifications`. */
export const notificationList = z.looseObject({
  items: z.array(notification),
  unread: count.describe('The number of unread notifications.'),
})
