/** The built page: small, in one script and one style sheet, without inline code, and without a word of HTML in scripts. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildPage, buildPagePart } from './build.ts'

/** The most bytes of script and style together, compressed. */
const budget = 36_000

test('script and style together stay within the budget', async () => {
  const { script, style } = await buildPage()
  const [code, sheet] = [script, style].map((text) => gzipSync(text).length)
  console.log(`page: ${code} B of script and ${sheet} B of style, gzip`)
  const promise = 'docs/dependencies.md says how large the page is at most: make it smaller, or change both'
  expect((code ?? 0) + (sheet ?? 0), promise).toBeLessThanOrEqual(budget)
})

test('lines to copy begin with what starts the mock: in a clone, and where the package is installed', async () => {
  const [clone, { script }] = [await buildPagePart('script'), await buildPage()]
  const found = (text: string) =>
    ['npm start --', 'npx --no-install work-agent-contract mock'].filter((one) => text.includes(one))
  expect([found(clone), found(script)]).toEqual([
    ['npm start --'],
    ['npx --no-install work-agent-contract mock'],
  ])
})

test('the HTML has no inline code, and the script loads nothing else', async () => {
  const { html, script, style } = await buildPage()
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/i)
  expect(script).not.toMatch(/\bimport\s*\(|\bfrom\s*["'`]|eval\(|new Function|document\.write/)
  expect(style).not.toMatch(/url\(|@import/)
})
