/**
 * Where the page comes from: in a clone it is built when somebody first looks. What is published contains it already
 * (scripts/package/built-page.ts replaces this file).
 */
import type { BuiltPage } from './files.ts'

/** Builds the page. @throws Error without the development dependencies of a clone. */
export async function loadPage(): Promise<BuiltPage> {
  const builder = new URL('../../../page/build.ts', import.meta.url)
  const { buildPage } = (await import(builder.href)) as { buildPage(): Promise<BuiltPage> }
  return buildPage()
}
