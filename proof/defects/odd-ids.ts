/** §7: ids with unusual characters that cause failures. */
import type { Call } from '#mocks/handlers/handler.ts'
import { viewDocument, viewTask } from '#mocks/handlers/views.ts'
import { decoded, sentId } from '#traffic/odd-input.ts'
import { failing } from '../mutations/failing.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

type Identifying = 'getTask' | 'getDocument' | 'runTask' | 'readNotification' | 'deleteKey'

/** What ids a service fails over, each as it stands in the path, by the name of the defect. */
const kinds: Readonly<Record<string, { readonly what: string; readonly is: (sent: string) => boolean }>> = {
  odd: {
    what: 'ids with unusual characters',
    is: (sent) => !/^[\w-]{1,200}$/.test(sent) && /^[^\0/%]+$/.test(decoded(sent) ?? '%'),
  },
  long: { what: 'ids of more than 255 characters', is: (sent) => sent.length > 255 },
  huge: {
    what: 'ids that are numbers beyond 64 bits',
    is: (sent) => /^\d{1,30}$/.test(sent) && BigInt(sent) >= 2n ** 63n,
  },
  inexact: {
    what: 'ids that are numbers which no double holds',
    is: (sent) => /^\d{16,18}$/.test(sent) && !Number.isSafeInteger(Number(sent)),
  },
  nul: { what: 'ids with NUL', is: (sent) => sent.includes('%00') },
  undecodable: { what: 'ids that cannot be decoded', is: (sent) => decoded(sent) === undefined },
  percent: { what: 'a percent sign that encodes nothing', is: (sent) => sent === '%' },
  slash: { what: 'ids with an encoded slash', is: (sent) => /%2f/i.test(sent) },
}

const breaking = (kind: keyof typeof kinds, operation: Identifying, breaks: string): Defect => ({
  id: `${kind}-id-${operation}`,
  title: `${operation} fails with 500 for ${kinds[kind]?.what}.`,
  breaks: [breaks],
  mutate: () =>
    failing((request) => kinds[kind]?.is(sentId(operation, request.url) ?? '') === true, operation),
})

/** Finds something under the names that every object of JavaScript has. */
const builtIn = (operation: 'getTask' | 'getDocument' | 'runTask', breaks: string): Defect => ({
  id: `built-in-id-${operation}`,
  title: `${operation} finds something under the id constructor.`,
  breaks: [breaks],
  mutate: () =>
    handle(operation, (call: Call<typeof operation>, usual) => {
      const { org } = call
      const [task] = org.tasks.newest(1)
      const [document] = org.documents.newest(1)
      if (call.id !== 'constructor' || !task || !document) return usual(call)
      if (operation === 'getDocument') return { item: viewDocument(document) }
      if (operation === 'getTask') return { task: viewTask(task), finished: false }
      return { ok: true, taskId: task.id, runId: org.newId('run'), status: 'pending', finished: false }
    }),
})

/** The requirement of each operation about ids that are well-formed. */
const oddIdRequirements: Readonly<Record<Identifying, string>> = {
  getTask: 'TASK-ODD-ID',
  getDocument: 'DOC-ODD-ID',
  runTask: 'RUN-ODD-ID',
  readNotification: 'NOTIFICATION-ODD-ID',
  deleteKey: 'KEY-ODD-ID',
}

export const oddIds: readonly Defect[] = [
  ...Object.entries(oddIdRequirements).flatMap(([operation, breaks]) =>
    ['odd', 'long', 'huge'].map((kind) => breaking(kind, operation as Identifying, breaks)),
  ),
  breaking('inexact', 'getTask', 'TASK-ODD-ID'),
  ...(Object.keys(oddIdRequirements) as Identifying[]).flatMap((operation) =>
    ['nul', 'undecodable'].map((kind) => breaking(kind, operation, `MALFORMED-ID-${operation}`)),
  ),
  breaking('percent', 'getTask', 'MALFORMED-ID-getTask'),
  breaking('slash', 'getTask', 'MALFORMED-ID-getTask'),
  {
    id: 'malformed-id-found',
    title: 'getTask ignores what it cannot decode and finds a task.',
    breaks: ['MALFORMED-ID-getTask'],
    mutate() {
      let known = ''
      return {
        async middleware({ request, operation }, next) {
          const id = operation === 'getTask' ? (sentId(operation, request.url) ?? '') : ''
          if (known && decoded(id) === undefined)
            return next(new Request(request.url.replace(id, known), request))
          const response = await next(request)
          if (response.ok && id !== '') known = id
          return response
        },
      }
    },
  },
  builtIn('getTask', 'TASK-ODD-ID'),
  builtIn('getDocument', 'DOC-ODD-ID'),
  builtIn('runTask', 'RUN-ODD-ID'),
]
