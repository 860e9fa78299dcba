/** Variations that exist only over a real connection. */
import { gzipSync } from 'node:zlib'
import { type Variation, variationsOf } from './variation.ts'

export const wire: readonly Variation[] = variationsOf({
  'wire-gzip: Answers are compressed.': {
    allowed: 'RFC 9110 §8.4: Content-Encoding, as the client accepts it.',
    wire: { path: '' },
    mutate: () => ({
      async middleware({ request }, next) {
        const response = await next(request)
        if (!request.headers.get('accept-encoding')?.includes('gzip')) return response
        const headers = new Headers(response.headers)
        headers.set('content-encoding', 'gzip')
        headers.set('vary', 'accept-encoding')
        const body = gzipSync(new Uint8Array(await response.arrayBuffer()))
        return new Response(body, { status: response.status, headers })
      },
    }),
  },
  'wire-prefix: The base URL has a path and ends in a slash.': {
    allowed: '#base-url: a path in front is open.',
    wire: { path: '/v7/work/' },
    mutate: () => ({
      async middleware({ request }, next) {
        const url = new URL(request.url)
        const [, path] = /^\/v7\/work(\/.*)$/.exec(url.pathname) ?? []
        if (path) url.pathname = path
        else if (url.pathname.includes('/api/')) return new Response('Not here.', { status: 404 })
        return next(new Request(url, request))
      },
    }),
  },
  'wire-chunked: Answers arrive in small chunks.': {
    allowed: 'RFC 9112 §7.1: chunked transfer coding.',
    wire: { path: '' },
    mutate: () => ({
      async middleware({ request }, next) {
        const response = await next(request)
        const bytes = new Uint8Array(await response.arrayBuffer())
        const pieces = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let i = 0; i < bytes.length; i += 200) controller.enqueue(bytes.slice(i, i + 200))
            controller.close()
          },
        })
        return new Response(pieces, response)
      },
    }),
  },
})
