/** The two kinds of resources that are stored and read by an id: how each is created, read and listed. */
import type { CallOptions } from '../client/client.ts'
import { newDocument, newTask, sharedDocument, sharedTask } from '../evidence/resources.ts'
import type { TestContext } from '../harness/context.ts'
import { fieldTexts } from './texts.ts'

/** How a kind of resource is created and read, and the field that holds its longest text. */
export interface Kind {
  readonly prefix: string
  readonly name: 'task' | 'document'
  readonly create: 'createTask' | 'createDocument'
  readonly read: 'getTask' | 'getDocument'
  readonly list: 'listTasks' | 'listDocuments'
  /** Lists all of them, and how statements call that list. */
  readonly all: CallOptions
  readonly allName: string
  /** The member of a response that holds it. */
  readonly member: 'task' | 'item'
  readonly text: 'text' | 'content_md'
  /** The word for that text in statements. */
  readonly textName: string
  /** Whether the response that creates it must contain that text. */
  readonly echoesText: boolean
  /** What marked texts begin with. */
  readonly mark: string
  readonly body: (t: TestContext, text?: string) => Record<string, string>
  /** With a text, and with unusual characters in every other field. */
  readonly wholeBody: (t: TestContext, text: string) => Record<string, string>
  readonly make: (t: TestContext) => Promise<{ id: string }>
  readonly shared: (t: TestContext) => Promise<{ id: string }>
}

export const task: Kind = {
  prefix: 'TASK',
  name: 'task',
  create: 'createTask',
  read: 'getTask',
  list: 'listTasks',
  all: {},
  allName: 'The list',
  member: 'task',
  text: 'text',
  textName: 'text',
  echoesText: true,
  mark: 'Task',
  body: (t, text = t.name('Task')) => ({ text }),
  wholeBody: (_, text) => ({ text }),
  make: newTask,
  shared: sharedTask,
}

export const document: Kind = {
  prefix: 'DOC',
  name: 'document',
  create: 'createDocument',
  read: 'getDocument',
  list: 'listDocuments',
  all: { query: { all: '1' } },
  allName: 'The list with all=1',
  member: 'item',
  text: 'content_md',
  textName: 'content',
  echoesText: false,
  mark: 'Content',
  body: (t, text) => ({ title: t.name('Document'), ...(text === undefined ? {} : { content_md: text }) }),
  wholeBody: (t, content_md) => ({
    content_md,
    title: `  ${t.name(fieldTexts.title)} `,
    summary: ` ${t.name(fieldTexts.summary)}\n`,
  }),
  make: newDocument,
  shared: sharedDocument,
}
