/** §4: unusual bodies and queries over which a service fails, or that it alters. */
import { failing } from '../mutations/failing.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Defect } from './defect.ts'

const creating = { createTask: 'getTask', createDocument: 'getDocument' } as const
type Creating = keyof typeof creating

/** What a JSON body may hold, and how a body of the suite shows it; a byte that is not UTF-8 is decoded to U+FFFD. */
const holding: Readonly<Record<string, { readonly what: string; readonly pattern: RegExp }>> = {
  bytes: { what: 'bytes that are not UTF-8', pattern: /\ufffd/g },
  surrogate: { what: 'lone surrogates', pattern: /\\ud800/g },
  nul: { what: 'NUL', pattern: /\\u0000/g },
}

/** A service that replaces some characters of a body before it reads it. */
const altering = (operation: Creating, pattern: RegExp): Mutation => ({
  async middleware(context, next) {
    const { request } = context
    const body = context.operation === operation ? await request.clone().text() : ''
    if (body.search(pattern) < 0) return next(request)
    const { url, method, headers } = request
    return next(new Request(url, { method, headers, body: body.replaceAll(pattern, '\ufffd') }))
  },
})

const texts = (Object.keys(creating) as Creating[]).flatMap((operation) =>
  Object.entries(holding).flatMap(([name, { what, pattern }]): Defect[] => [
    {
      id: `odd-text-${name}-${operation}`,
      title: `${operation} fails with 500 for a text with ${what}.`,
      breaks: [`ODD-TEXT-${operation}`],
      mutate: () => failing((_, body) => body.search(pattern) >= 0, operation),
    },
    {
      id: `odd-text-altered-${name}-${operation}`,
      title: `${operation} replaces ${what} in a text.`,
      breaks: [`ODD-TEXT-KEPT-${operation}`],
      mutate: () => altering(operation, pattern),
    },
  ]),
)

/** Whether a body is nested deeper than 1,000 levels. */
const isDeep = (body: string) => body.includes('['.repeat(1_000))

export const oddInput: readonly Defect[] = [
  ...texts,
  ...(Object.keys(creating) as Creating[]).flatMap((operation): Defect[] => [
    {
      id: `odd-text-unreadable-${operation}`,
      title: `${operation} accepts lone surrogates, and what it creates cannot be read.`,
      breaks: [`ODD-TEXT-${operation}`],
      mutate: () => ({
        async middleware(context, next) {
          const response = await next(context.request)
          if (context.operation !== creating[operation] || !response.ok) return response
          const text = await response.text()
          if (text.includes('\\ud800'))
            return Response.json({ error: 'internal_error', message: 'Not encoded.' }, { status: 500 })
          return new Response(text, response)
        },
      }),
    },
    {
      id: `deep-body-${operation}`,
      title: `${operation} fails with 500 for a body that is nested deeper than 1,000 levels.`,
      breaks: [`DEEP-BODY-${operation}`],
      mutate: () => failing((_, body) => isDeep(body), operation),
    },
  ]),
  {
    id: 'deep-field-createTask',
    title: 'createTask fails with 500 for a deeply nested field that it does not know.',
    breaks: ['DEEP-BODY-createTask'],
    mutate: () => failing((_, body) => body.startsWith('{') && isDeep(body), 'createTask'),
  },
  ...(['listDocuments', 'getInsights'] as const).map(
    (operation): Defect => ({
      id: `query-twice-${operation}`,
      title: `${operation} fails with 500 for a parameter that is sent twice.`,
      breaks: [`QUERY-TWICE-${operation}`],
      mutate: () =>
        failing(({ url }) => {
          const names = [...new URL(url).searchParams.keys()]
          return new Set(names).size < names.length
        }, operation),
    }),
  ),
]
