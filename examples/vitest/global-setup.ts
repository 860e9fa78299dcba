/** One mock for the whole test run, for tests that need a real address. */
import type { TestProject } from 'vitest/node'
import { createMock, listen } from 'work-agent-contract'

declare module 'vitest' {
  interface ProvidedContext {
    mockUrl: string
  }
}

export default async function setup(project: TestProject) {
  const server = await listen(createMock({ runProgress: 'polls:2' }))
  project.provide('mockUrl', server.url)
  return () => server.close()
}
