/**
 * Source of the page: in a clone, its script is built when somebody first looks. The published package contains it
 * already (scripts/package/bundle.ts replaces this file).
 */

/** A part of the page: the HTML, and the one script and the one style sheet that it names. */
export type PagePart = 'html' | 'script' | 'style'

/** Returns a part of the page. @throws Error without the development dependencies of a clone. */
export async function loadPart(part: PagePart): Promise<string> {
  const builder = new URL('../../../page/build.ts', import.meta.url)
  const parts = (await import(builder.href)) as { partOf(part: PagePart): Promise<string> }
  return parts.partOf(part)
}
