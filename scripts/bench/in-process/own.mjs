/** The mock, asked without a network: `createMock()` and `mock.fetch`. */
import { pathToFileURL } from 'node:url'
import { ask } from './request.mjs'

export async function prepare(folder) {
  const { createMock } = await import(pathToFileURL(`${folder}/dist/index.js`).href)
  return () => {
    const mock = createMock({ rateLimit: 'off' })
    return { ask: () => ask(mock.fetch), dispose: () => undefined }
  }
}
