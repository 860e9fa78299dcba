/**
 * Source of the page: in a clone, its script is built when somebody first looks. The published package contains it
 * already (scripts/package/bundle.ts replaces this file).
 */

/** The name of a part of the page: its HTML, its script or its style sheet. */
export type PagePart = 'html' | 'script' | 'style'

/** Loads the text of a part of the page. @throws Error without the development dependencies of a clone. */
export async function loadPart(part: PagePart): Promise<string> {
  const builder = new URL('../../../page/build.ts', import.meta.url)
  const parts = (await import(builder.href)) as { buildPagePart(part: PagePart): Promise<string> }
  return parts.buildPagePart(part)
}
