import { expect, test } from 'vitest'
import { controlRoutes } from './index.ts'
import { controlReference } from './reference.ts'

const page = controlReference(controlRoutes)

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
