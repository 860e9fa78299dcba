/** The peers, each set up as its own documentation says for one authenticated route. */
import { openapiText } from '../../openapi/main.ts'
import { type Peer, whoami } from './peer.ts'

const bin = (name: string) => `node_modules/${name}`

export const peers: readonly Peer[] = [
  {
    name: 'bare node:http',
    packages: [],
    files: {
      'bare.mjs': `import { createServer } from 'node:http'
const value = ${JSON.stringify(whoami)}
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
    },
    command: (port) => ({ file: process.execPath, args: ['bare.mjs', String(port)] }),
    stateful: false,
  },
  {
    name: 'Prism',
    packages: ['@stoplight/prism-cli@5'],
    files: { 'openapi.json': openapiText('first') },
    command: (port) => ({
      file: process.execPath,
      args: [
        bin('@stoplight/prism-cli/dist/index.js'),
        'mock',
        'openapi.json',
        '--port',
        String(port),
        '--verboseLevel',
        'silent',
      ],
    }),
    stateful: false,
  },
  {
    name: 'Mockoon',
    packages: ['@mockoon/cli@9'],
    files: { 'mockoon.json': mockoon() },
    command: (port) => ({
      file: process.execPath,
      args: [
        bin('@mockoon/cli/bin/run.js'),
        'start',
        '--data',
        'mockoon.json',
        '--port',
        String(port),
        '--disable-log-to-file',
      ],
    }),
    stateful: false,
  },
  {
    name: 'json-server',
    packages: ['json-server@0.17'],
    files: {
      'db.json': JSON.stringify({ whoami, tasks: [] }),
      'routes.json': JSON.stringify({ '/api/cli/*': '/$1' }),
    },
    command: (port) => ({
      file: process.execPath,
      args: [
        bin('json-server/lib/cli/bin.js'),
        'db.json',
        '--routes',
        'routes.json',
        '--port',
        String(port),
        '--quiet',
      ],
    }),
    stateful: true,
  },
  {
    name: 'WireMock',
    packages: ['wiremock@3'],
    files: { 'mappings/whoami.json': wiremock() },
    command: (port, folder) => ({
      file: 'java',
      args: [
        '-jar',
        `${folder}/node_modules/wiremock/build/wiremock-standalone.jar`,
        '--port',
        String(port),
        '--bind-address',
        '127.0.0.1',
        '--no-request-journal',
        '--disable-banner',
      ],
    }),
    stateful: false,
  },
  {
    name: 'msw handlers by hand',
    packages: ['msw@3'],
    files: {
      'msw.mjs': `import { createServer } from 'node:http'
import { getResponse, http, HttpResponse } from 'msw'
const value = ${JSON.stringify(whoami)}
const handlers = [
  http.get('*/api/cli/whoami', ({ request }) =>
    request.headers.get('authorization')?.startsWith('Bearer ')
      ? HttpResponse.json(value)
      : HttpResponse.json({ error: 'unauthorized', message: '' }, { status: 401 })),
]
createServer(async (incoming, outgoing) => {
  const request = new Request('http://127.0.0.1' + incoming.url, { method: incoming.method, headers: incoming.headers })
  const response = await getResponse(handlers, request)
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.length })
  outgoing.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
    },
    command: (port) => ({ file: process.execPath, args: ['msw.mjs', String(port)] }),
    stateful: false,
  },
]

function wiremock(): string {
  return JSON.stringify({
    request: {
      method: 'GET',
      urlPath: '/api/cli/whoami',
      headers: { Authorization: { matches: 'Bearer .+' } },
    },
    response: { status: 200, jsonBody: whoami, headers: { 'Content-Type': 'application/json' } },
  })
}

function mockoon(): string {
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  return JSON.stringify({
    uuid: uuid(1),
    lastMigration: 33,
    name: 'whoami',
    endpointPrefix: '',
    latency: 0,
    port: 3000,
    hostname: '127.0.0.1',
    folders: [],
    routes: [
      {
        uuid: uuid(2),
        type: 'http',
        documentation: '',
        method: 'get',
        endpoint: 'api/cli/whoami',
        responses: [
          {
            uuid: uuid(3),
            body: JSON.stringify(whoami),
            latency: 0,
            statusCode: 200,
            label: '',
            headers: [{ key: 'Content-Type', value: 'application/json' }],
            bodyType: 'INLINE',
            filePath: '',
            databucketID: '',
            sendFileAsBody: false,
            rules: [
              {
                target: 'header',
                modifier: 'Authorization',
                value: 'Bearer .+',
                invert: false,
                operator: 'regex',
              },
            ],
            rulesOperator: 'OR',
            disableTemplating: true,
            fallbackTo404: false,
            default: true,
            crudKey: 'id',
            callbacks: [],
          },
        ],
        responseMode: null,
        streamingMode: null,
        streamingInterval: 0,
      },
    ],
    rootChildren: [{ type: 'route', uuid: uuid(2) }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: false,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  })
}
