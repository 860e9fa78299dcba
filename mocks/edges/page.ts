/** The page for browsers: `/` and its files under `/__page/`, for those who may make control calls. */
import type { Context } from 'hono'
import { memoizeSuccessfulLoad } from './fetch.ts'
import { loadPart, type PagePart } from './page/source.ts'
import type { EdgeBindings } from './request.ts'

type PageContext = Context<{ Bindings: EdgeBindings }>

/** The files of the page, by path: part and media type. */
const parts = {
  '/': ['html', 'text/html; charset=utf-8'],
  '/__page/page.js': ['script', 'text/javascript; charset=utf-8'],
  '/__page/page.css': ['style', 'text/css; charset=utf-8'],
} as const

/**
 * Creates a function that returns a file of the page, or the response that refuses it; undefined: there is no such
 * file, or no page. Each part is loaded when it is first requested.
 */
export function createPageLoader(load: (part: PagePart) => Promise<string> = loadPart) {
  const files = new Map(
    Object.entries(parts).map(([path, [part, type]]) => [
      path,
      memoizeSuccessfulLoad(async () => fileOf(type, await load(part))),
    ]),
  )
  return async (c: PageContext): Promise<Response | undefined> => {
    const file = files.get(c.req.path)
    if (!file) return undefined
    const refusal = c.env?.guard?.(c.req)
    if (refusal) return refused(refusal.status, refusal.advice)
    const found = await file().catch(() => undefined)
    return found && send(c, found)
  }
}

function send(c: PageContext, file: PageFile): Response {
  const token = c.req.query('token')
  if (c.req.path === '/' && token !== undefined) return withToken(file, token)
  const headers = {
    ...pageSecurityHeaders,
    'content-type': file.type,
    'cache-control': 'no-cache',
    etag: file.tag,
    vary: 'Accept, Accept-Encoding',
  }
  const known = (c.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known.includes(file.tag)) return new Response(null, { status: 304, headers })
  if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return new Response(file.text, { headers })
  return new Response(file.gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
}

/** A file of the page with the token in its links: a browser sends the token only as part of an address. */
function withToken(file: PageFile, token: string): Response {
  const html = file.text.replace(/"(\/__page\/[\w.]+)"/g, `"$1?token=${encodeURIComponent(token)}"`)
  return new Response(html, {
    headers: { ...tokenHeaders, 'content-type': file.type, 'cache-control': 'no-store' },
  })
}

function refused(status: number, advice: string): Response {
  const headers = { ...pageSecurityHeaders, 'content-type': parts['/'][1], 'cache-control': 'no-store' }
  return new Response(plainHtmlPage('Not allowed', `<p>${advice}</p>`), { status, headers })
}

/** A minimal HTML page without style, with the given content. */
export const plainHtmlPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<h1>${title}</h1>
${body}
</html>
`

async function fileOf(type: string, text: string) {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer())
  const digest = await crypto.subtle.digest('SHA-256', gzip)
  const hex = Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0'))
  return { type, text, gzip, tag: `"${hex.join('')}"` }
}

type PageFile = Awaited<ReturnType<typeof fileOf>>

/** Content security policy: the page loads nothing but its own files, and runs no inline script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * Security headers of all answers to operators, which forbid other sites to frame them, guess their type or read them.
 */
export const operatorResponseSecurityHeaders: Readonly<Record<string, string>> = {
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** Security headers of the page, which keep the admin token in its address from the sites that it links to. */
export const pageSecurityHeaders: Readonly<Record<string, string>> = {
  ...operatorResponseSecurityHeaders,
  'content-security-policy': policy,
}

/**
 * Headers of a page with a token in its address: a page that opens it gets no hold of its window. Without a token there
 * is nothing to hide, and the new process that this takes would delay the first paint by 70 ms.
 */
const tokenHeaders: Readonly<Record<string, string>> = {
  ...pageSecurityHeaders,
  'cross-origin-opener-policy': 'same-origin',
}
