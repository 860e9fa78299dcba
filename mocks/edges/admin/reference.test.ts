/** The reference page of the control routes is complete and current. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { controlRoutes } from './index.ts'
import { controlReference } from './reference.ts'

const page = controlReference(controlRoutes)

test('the page is current; npm run control-reference writes it', () => {
  const file = new URL('../../../docs/control-api.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(page)
})

test('every route has a section, and a link to it', () => {
  for (const { method, path } of controlRoutes) {
    expect(page).toContain(`\n## ${method} /__admin${path}\n`)
    expect(page).toContain(`[\`${method} /__admin${path}\`](#`)
  }
})

test('no two routes share an anchor', () => {
  const anchors = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
  expect(new Set(anchors).size).toBe(controlRoutes.length)
})
