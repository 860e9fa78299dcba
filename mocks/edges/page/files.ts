/** The files of the page as they are sent: with an entity tag, and compressed once. */

/** The page as it was built: one script, one style sheet, and the HTML that names them. */
export interface BuiltPage {
  readonly html: string
  readonly script: string
  readonly style: string
}

/** One file. */
export interface PageFile {
  readonly type: string
  readonly text: string
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly tag: string
}

const types = {
  html: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const

/** Returns the files by their part of the page. */
export async function filesOf(page: BuiltPage): Promise<Readonly<Record<keyof BuiltPage, PageFile>>> {
  const [html, script, style] = await Promise.all([
    fileOf(types.html, page.html),
    fileOf(types.script, page.script),
    fileOf(types.style, page.style),
  ])
  return { html, script, style }
}

async function fileOf(type: string, text: string): Promise<PageFile> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer())
  const digest = await crypto.subtle.digest('SHA-256', gzip)
  const hex = Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0'))
  return { type, text, gzip, tag: `"${hex.join('')}"` }
}
