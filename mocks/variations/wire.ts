/** What only shows over a real connection. */
import type { Variation } from './variation.ts'

export const wire: readonly Variation[] = [
  {
    id: 'wire-gzip',
    title: 'Answers are compressed.',
    allowed: 'RFC 9110 §8.4: Content-Encoding, as the client accepts it.',
    wire: true,
    alter: () => ({
      async around({ request }, next) {
        const response = await next(request)
        if (!request.headers.get('accept-encoding')?.includes('gzip')) return response
        const headers = new Headers(response.headers)
        headers.set('content-encoding', 'gzip')
        headers.set('vary', 'accept-encoding')
        const body = response.body?.pipeThrough(new CompressionStream('gzip')) ?? null
        return new Response(body, { status: response.status, headers })
      },
    }),
  },
  {
    id: 'wire-prefix',
    title: 'The service lives under a path.',
    allowed: 'api.md §1: base address: {base_url}.',
    wire: true,
    alter: () => ({
      async around({ request }, next) {
        const url = new URL(request.url)
        if (!url.pathname.startsWith('/v7/work')) return new Response('Not here.', { status: 404 })
        url.pathname = url.pathname.slice('/v7/work'.length)
        return next(new Request(url, request))
      },
    }),
  },
  {
    id: 'wire-chunked',
    title: 'Answers come in small pieces.',
    allowed: 'RFC 9112 §7.1: chunked transfer coding.',
    wire: true,
    alter: () => ({
      async around({ request }, next) {
        const response = await next(request)
        const bytes = new Uint8Array(await response.arrayBuffer())
        const pieces = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let i = 0; i < bytes.length; i += 50) controller.enqueue(bytes.slice(i, i + 50))
            controller.close()
          },
        })
        return new Response(pieces, response)
      },
    }),
  },
]
