/** The files of the page as they are sent: with an entity tag, and compressed once. */

/** A part of the page: the HTML, and the one script and the one style sheet that it names. */
export type PagePart = 'html' | 'script' | 'style'

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
} as const satisfies Record<PagePart, string>

/** Returns the file of a part. */
export async function fileOf(part: PagePart, text: string): Promise<PageFile> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer())
  const digest = await crypto.subtle.digest('SHA-256', gzip)
  const hex = Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0'))
  return { type: types[part], text, gzip, tag: `"${hex.join('')}"` }
}
