/**
 * `npm run world dom`: pages that tests simulate, jsdom and happy-dom as npm has them, ask a mock at another origin
 * through msw 2 and 3. Prints what each gets; exits with code 1 where it is not what docs/in-a-test.md says. Outside CI.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { setupServer as setupServer2 } from 'msw-2/node'
import { createMock, handlers } from '#mocks/msw.ts'

const [jsdom, happyDom] = ['jsdom@31.0.1', 'happy-dom@21.0.4']
const api = 'http://api.example.test'
const url = 'http://localhost:3000/'

/** Globals that a page has and test runners take from it. */
const names = ['XMLHttpRequest', 'XMLHttpRequestUpload', 'Document', 'DOMParser', 'ProgressEvent'] as const
/** Globals of Node that happy-dom replaces. */
const ofFetch = ['fetch', 'Headers', 'Request', 'Response'] as const
type Page = Partial<Pick<typeof globalThis, (typeof names)[number] | (typeof ofFetch)[number]>>
const own = Object.fromEntries(ofFetch.map((name) => [name, globalThis[name]]))

using folder = mkdtempDisposableSync(join(tmpdir(), 'dom-'))
const flags = ['--silent', '--no-audit', '--no-fund', '--prefix', '.', jsdom, happyDom]
if (spawnSync('npm', ['install', ...flags], { cwd: folder.path, stdio: 'inherit' }).status !== 0)
  throw new Error(`npm did not install ${jsdom} and ${happyDom}`)
const { JSDOM, VirtualConsole } = await import(join(folder.path, 'node_modules/jsdom/lib/api.js'))
const { Window } = await import(join(folder.path, 'node_modules/happy-dom/lib/index.js'))

const inJsdom = (): Page => new JSDOM('', { url, virtualConsole: new VirtualConsole() }).window
const inHappyDom = (disableSameOriginPolicy: boolean) => (): Page =>
  new Window({ url, settings: { fetch: { disableSameOriginPolicy } } })

/** A page, the version of msw, whether the mock lets pages of other origins ask, and the status that the page gets; 0: none. */
const cases = [
  [jsdom, inJsdom, 2, false, 200],
  [jsdom, inJsdom, 3, false, 0],
  [jsdom, inJsdom, 3, true, 200],
  [happyDom, inHappyDom(false), 2, false, 200],
  [happyDom, inHappyDom(false), 3, false, 0],
  [happyDom, inHappyDom(false), 3, true, 0],
  [`${happyDom} without its policy`, inHappyDom(true), 3, false, 200],
] as const

/** The status that a page gets of the mock; as test runners do, the page is global before msw listens. */
async function statusOf(pageOf: () => Page, version: 2 | 3, cors: boolean): Promise<number> {
  const page = pageOf()
  // jsdom has a `Headers` that test runners leave to its pages.
  const taken = page.fetch ? [...names, ...ofFetch] : names
  Object.assign(globalThis, own, Object.fromEntries(taken.map((name) => [name, page[name]])))
  const mock = createMock({ cors })
  const answers = handlers(mock, api)
  const server = version === 3 ? setupServer(...answers) : setupServer2(...(answers as never[]))
  server.listen()
  try {
    return await new Promise((resolve) => {
      const request = new globalThis.XMLHttpRequest()
      request.open('GET', `${api}/api/cli/whoami`)
      request.setRequestHeader('Authorization', `Bearer ${mock.credentials().apiKey}`)
      request.onloadend = () => resolve(request.status)
      request.send()
    })
  } finally {
    server.close()
  }
}

for (const [name, page, version, cors, expected] of cases) {
  const status = await statusOf(page, version, cors)
  console.log(`${name}, msw ${version}${cors ? ', cors' : ''}: ${status || 'no answer'}`)
  if (status !== expected) process.exitCode = 1
}
process.exit()
