/** The HTML report as text; how it behaves is in `html.browser.test.ts`. */
import { expect, test } from 'vitest'
import { presentedSample } from '#contract-tests/report/testing/sample.ts'
import { renderHtml } from './html.ts'

const page = renderHtml(presentedSample())

test('nothing of a service becomes a tag', () => {
  const body = page.slice(page.indexOf('<body>'), page.indexOf('<script>'))
  expect(body).not.toMatch(/<b>&amp;|<!--|<b>&amp;amp;<\/b>/)
  expect(body).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;')
  expect(page.match(/<script/g)).toHaveLength(1)
})

test('it is one file that names no other', () => {
  expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/)
  expect(page).not.toMatch(/@import|url\(/)
  expect(page).toContain(`default-src 'none'`)
})

test('each requirement is an article that can be linked to', () => {
  for (const { id, outcome } of presentedSample().results)
    expect(page).toContain(`<article class="${outcome}" id="${id}"`)
})

test('the headline shows the denominator', () => {
  expect(page).toMatch(/<p class="headline">1 passed, 1 failed, .*, of 7<\/p>/)
})
