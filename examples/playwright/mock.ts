/** A mock for each worker, an organization for each test, and a page that is logged in to it. */
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { createMock, type Listener, listen, type Mock } from 'work-agent-contract'

export { expect }

const file = join(import.meta.dirname, 'page.html')

interface OfTest {
  organization: ReturnType<Mock['organization']>
}
interface OfWorker {
  service: Listener & { mock: Mock }
}

export const test = base.extend<OfTest, OfWorker>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const mock = createMock({ credits: 3, runDuration: '1h' })
      const listener = await listen(mock)
      await use({ mock, ...listener })
      await listener.close()
    },
    { scope: 'worker' },
  ],

  organization: async ({ service }, use, { testId }) => {
    const organization = service.mock.organization(testId)
    await use(organization)
    // The page keeps the rules for clients, whatever a test is about.
    const broken = organization.report().rules.filter(({ outcome }) => outcome === 'failed')
    expect(broken.flatMap(({ findings }) => findings)).toEqual([])
    if (service.mock.bugs.length > 0) throw service.mock.bugs[0]
  },

  page: async ({ page, service }, use, { testId }) => {
    await page.addInitScript((key) => localStorage.setItem('api-key', key), `wak_test_${testId}`)
    // The page comes from a file, its requests go to the mock, both by one address; nothing leaves this machine.
    await page.route('**', (route) => {
      const { origin, pathname } = new URL(route.request().url())
      if (origin !== service.url) return route.abort()
      return pathname === '/' ? route.fulfill({ path: file }) : route.continue()
    })
    await page.goto(`${service.url}/`)
    await use(page)
  },
})
