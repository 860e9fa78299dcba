/** Bundles a page for browsers and serves it with the worker script of msw. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

/**
 * Bundles a page for the browser; returns its chunks, the entry first. `msw`: the package that imports of msw resolve
 * to; `modules`: sources of files that need not exist, by path.
 */
export async function bundlePage(input: string, msw: string, modules: Readonly<Record<string, string>> = {}) {
  const alias = { msw, 'work-agent-contract/msw': resolve('mocks/msw.ts') }
  const plugin: Plugin = {
    name: 'modules',
    resolveId: (id) => (id in modules ? id : undefined),
    load: (id) => modules[id],
  }
  const build = await rolldown({ input, platform: 'browser', resolve: { alias }, plugins: [plugin] })
  const { output } = await build.generate({ format: 'esm', entryFileNames: 'page.js' })
  await build.close()
  return output.filter((one) => one.type === 'chunk')
}

/** Serves the chunks of a page and the worker script of msw on a free port, until `close` is called. */
export async function servePageChunks(chunks: readonly OutputChunk[], msw: string) {
  const script = createRequire(import.meta.url).resolve(`${msw}/mockServiceWorker.js`)
  const files = new Map([
    ['/', '<!doctype html><title>Page</title><script type="module" src="page.js"></script>'],
    ['/mockServiceWorker.js', readFileSync(script, 'utf8')],
    ...chunks.map(({ fileName, code }) => [`/${fileName}`, code] as const),
  ])
  const server = createServer(({ url = '' }, answer) => {
    const text = files.get(url)
    const type = url === '/' ? 'text/html' : 'text/javascript'
    answer.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
