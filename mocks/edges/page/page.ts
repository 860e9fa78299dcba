/** The page for browsers: `/` and its files under `/__page/`, for those who may make control calls. */
import type { Context } from 'hono'
import type { Bindings } from '../../pipeline/service.ts'
import { loadOnce } from '../load-once.ts'
import { fileOf, type PageFile, type PagePart } from './files.ts'
import { pageHeaders, tokenHeaders } from './headers.ts'
import { loadPart } from './source.ts'

type PageContext = Context<{ Bindings: Bindings }>

const parts: Readonly<Record<string, PagePart>> = {
  '/': 'html',
  '/__page/page.js': 'script',
  '/__page/page.css': 'style',
}

/** Serves the page, each part of which is loaded on first demand: the HTML does not wait for the script. */
export class Page {
  readonly #files: Readonly<Record<PagePart, () => Promise<PageFile>>>

  /** `load` returns the text of a part. */
  constructor(load: (part: PagePart) => Promise<string> = loadPart) {
    const file = (part: PagePart) => loadOnce(async () => fileOf(part, await load(part)))
    this.#files = { html: file('html'), script: file('script'), style: file('style') }
  }

  /** Returns a file of the page, or a rejection; undefined: there is no such file, or no page. */
  async respond(c: PageContext): Promise<Response | undefined> {
    const part = parts[c.req.path]
    if (part === undefined) return undefined
    const refusal = c.env?.guard?.(c.req)
    if (refusal) return refused(refusal.status, refusal.advice)
    const file = await this.#files[part]().catch(() => undefined)
    return file && send(c, file, part)
  }
}

function send(c: PageContext, file: PageFile, part: PagePart): Response {
  const token = c.req.query('token')
  if (part === 'html' && token !== undefined) return withToken(file, token)
  const headers = {
    ...pageHeaders,
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

/** The files of the page need the token too; a browser sends it only as part of their address. */
function withToken(file: PageFile, token: string): Response {
  const html = file.text.replace(/"(\/__page\/[\w.]+)"/g, `"$1?token=${encodeURIComponent(token)}"`)
  return new Response(html, {
    headers: { ...tokenHeaders, 'content-type': file.type, 'cache-control': 'no-store' },
  })
}

function refused(status: number, advice: string): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Not allowed</title>
<h1>Not allowed</h1>
<p>${advice}</p>
</html>
`
  const headers = { ...pageHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(html, { status, headers })
}
