/** The table of what is compared: what to install and to write, how to start it, what it cannot do. */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

/** One of the servers and mocks that the benchmark compares. */
export interface BenchmarkSide {
  readonly name: string
  /** `own`: our mock; `peer`: another product; `baseline`: the least that a server can do. */
  readonly kind: 'own' | 'baseline' | 'peer'
  readonly setUp: string
  /** The reason why it cannot store a task and return it; unset: it can. */
  readonly cannotKeep?: string
  /** True if it uses more than one core. */
  readonly manyCores?: true
}

/** A side of the benchmark that runs as a process and answers over HTTP. */
export interface ServedSide extends BenchmarkSide {
  /** npm packages with their majors, installed in a folder of this side alone. */
  readonly packages?: readonly string[]
  /** The files that it needs in that folder. `tasks`: the tasks that it holds at its start, as JSON. */
  files?(tasks: string, port: number): Readonly<Record<string, string>>
  /** The command, run in that folder; `PORT` is the port. */
  readonly command: string
  readonly env?: NodeJS.ProcessEnv
}

/** A side of the benchmark that runs inside the test's own process. */
export interface InProcessSide extends BenchmarkSide {
  /** The name under which `in-process.mjs` measures it. */
  readonly way: 'fetch' | 'bareFetch' | 'msw' | 'byHand' | 'jsonServer'
  /** The name of the side in whose folder it is installed. */
  readonly from: string
}

/** The folder in which a side is installed; git ignores it. */
export const sideFolderOf = (name: string) => join(resolve('.bench'), name.replaceAll(/\W+/g, '-'))

const org = { id: 'org_kbk8kkt0r9wb10m4', name: 'Graham Group' }

/** The body with which every peer answers the authenticated GET (`whoami`). */
export const peerWhoamiAnswer = { org, plan: 'starter', credits: 25 }

const flags = 'mock --log off --rate-limit 1000000000/60s --port PORT'
const asJson = (tasks: string) => ({ 'whoami.json': JSON.stringify(peerWhoamiAnswer), 'tasks.json': tasks })

/** The mock as it is published; its tasks are created over HTTP. */
export const publishedMock: ServedSide = {
  name: 'work-agent-contract',
  kind: 'own',
  setUp: 'as published, with the rate limit counting and the journal on',
  command: `node dist/bin.js ${flags}`,
}

/** The mock as it runs in a clone of the repository. */
export const clonedMock: ServedSide = { ...publishedMock, command: `node ../../cli/main.ts ${flags}` }

/** The baseline: a server of node:http without a framework. */
export const bareNodeServer: ServedSide = {
  name: 'bare node:http',
  kind: 'baseline',
  setUp: 'checks the header and keeps tasks in a Map; the baseline',
  files: asJson,
  command: 'node ../../scripts/bench/served.mjs bare PORT',
}

const tools: readonly Omit<ServedSide, 'kind'>[] = [
  {
    name: 'Prism',
    setUp: 'mocks the OpenAPI document of this package, which requires the key',
    packages: ['@stoplight/prism-cli@5'],
    files: () => ({ 'openapi.json': openapiText() }),
    command: 'node node_modules/.bin/prism mock openapi.json --verboseLevel silent --port PORT',
    cannotKeep: 'it returns examples',
  },
  {
    name: 'Mockoon',
    setUp: 'a route with a rule on the header, and a CRUD route over a data bucket (which no rule guards)',
    packages: ['@mockoon/cli@9'],
    files: (tasks) => ({ 'mockoon.json': JSON.stringify(mockoonEnvironment(tasks)) }),
    command: `node node_modules/.bin/mockoon-cli start --data mockoon.json --repair --disable-log-to-file
      --disable-admin-api --port PORT`,
  },
  {
    name: 'json-server',
    setUp: 'a one-line middleware rejects requests without a key; it writes its file at each change',
    packages: ['json-server@0.17'],
    files: (tasks) => ({
      'db.json': `{"whoami":${JSON.stringify(peerWhoamiAnswer)},"tasks":${tasks}}`,
      'routes.json': JSON.stringify({ '/api/cli/*': '/$1' }),
      'key.js': `module.exports = (request, response, next) =>
  request.headers.authorization?.startsWith('Bearer ') ? next() : response.status(401).json({ error: 'unauthorized' })
`,
    }),
    command: `node node_modules/.bin/json-server db.json --routes routes.json --middlewares key.js --host 127.0.0.1
      --quiet --port PORT`,
  },
  {
    name: 'WireMock',
    setUp: 'one stub that matches the header; its journal, log and templates are off',
    packages: ['wiremock@3'],
    files: () => ({
      'mappings/whoami.json': JSON.stringify({
        request: { urlPath: '/api/cli/whoami', headers: { Authorization: { matches: 'Bearer .+' } } },
        response: {
          status: 200,
          jsonBody: peerWhoamiAnswer,
          headers: { 'Content-Type': 'application/json' },
        },
      }),
    }),
    command: `java -cp node_modules/wiremock/build/* wiremock.Run --bind-address 127.0.0.1 --no-request-journal
      --disable-request-logging --disable-response-templating --disable-banner --port PORT`,
    cannotKeep: 'its scenarios are fixed; the state extension is not part of the jar',
    manyCores: true,
  },
  {
    name: 'msw handlers, http-middleware',
    setUp: 'three handlers and a Map, served by @mswjs/http-middleware, which requires msw 2',
    packages: ['@mswjs/http-middleware@0.10', 'msw@2'],
    files: asJson,
    command: 'node ../../scripts/bench/served.mjs middleware PORT',
  },
  {
    name: 'msw handlers, getResponse',
    setUp:
      'the same handlers behind node:http, with twelve lines written for this benchmark; the fastest way',
    packages: ['msw@3'],
    files: asJson,
    command: 'node ../../scripts/bench/served.mjs getResponse PORT',
  },
]

/** The other products that the benchmark compares with the mock. */
export const peerSides = tools.map((tool): ServedSide => ({ ...tool, kind: 'peer' }))

const inside = (way: InProcessSide['way'], name: string, from: string, setUp: string): InProcessSide => ({
  ...{ way, name, from, setUp },
  kind: way === 'bareFetch' ? 'baseline' : name.startsWith(publishedMock.name) ? 'own' : 'peer',
})

/** The mocks that the benchmark measures inside a test's own process. */
export const inProcessSides: readonly InProcessSide[] = [
  inside(
    'fetch',
    `${publishedMock.name}, fetch`,
    publishedMock.name,
    '`createMock()`, `mock.fetch(request)`',
  ),
  inside(
    'bareFetch',
    'bare Response',
    publishedMock.name,
    'checks the header and makes a `Response` of a text',
  ),
  inside(
    'msw',
    `${publishedMock.name}, msw`,
    publishedMock.name,
    '`setupServer(...mock.handlers(url))`, `fetch`',
  ),
  inside('byHand', 'msw handlers by hand', publishedMock.name, '`setupServer(...handlers)`, `fetch`'),
  inside('jsonServer', 'json-server, express', 'json-server', 'its router in an express server, `fetch`'),
]

function openapiText(): string {
  const command = [join(sideFolderOf(publishedMock.name), 'dist/bin.js'), 'openapi', '--variant', 'first']
  return execFileSync(process.execPath, command, { encoding: 'utf8' })
}

/** The environment of Mockoon; `--repair` fills in what it lacks. */
function mockoonEnvironment(tasks: string): object {
  const json = { headers: [{ key: 'Content-Type', value: 'application/json' }], disableTemplating: true }
  const hasKey = { target: 'header', modifier: 'Authorization', value: '^Bearer .+', operator: 'regex' }
  const answers = [
    { ...json, body: JSON.stringify(peerWhoamiAnswer), rules: [hasKey] },
    { ...json, body: '{"error":"unauthorized"}', statusCode: 401, default: true },
  ]
  const bucket = { ...json, bodyType: 'DATABUCKET', databucketID: 'task', default: true }
  return {
    ...{ lastMigration: 33, name: 'tasks', hostname: '127.0.0.1' },
    routes: [
      { type: 'http', method: 'get', endpoint: 'api/cli/whoami', responses: answers },
      { type: 'crud', endpoint: 'api/cli/tasks', responses: [bucket] },
    ],
    data: [{ id: 'task', name: 'tasks', value: tasks }],
  }
}
