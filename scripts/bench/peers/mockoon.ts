/** Mockoon: routes and data of one file; a data bucket keeps what is created. */
import { byNode, type Peer } from './peer.ts'
import { whoami } from './task.ts'

export const mockoon: Peer = {
  name: 'Mockoon',
  setUp: 'a route with a rule on the header, and a CRUD route over a data bucket (which no rule guards)',
  packages: ['@mockoon/cli@9'],
  files: (tasks) => ({ 'mockoon.json': JSON.stringify(environment(tasks)) }),
  command: (port) =>
    byNode(
      port,
      'node_modules/@mockoon/cli/bin/run.js',
      ...['start', '--data', 'mockoon.json', '--disable-log-to-file', '--disable-admin-api'],
    ),
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** An environment as its application writes it; every field is required. */
function environment(tasks: string): object {
  return {
    uuid: uuid(1),
    lastMigration: 33,
    name: 'tasks',
    endpointPrefix: '',
    latency: 0,
    port: 3000,
    hostname: '127.0.0.1',
    folders: [],
    routes: [
      route(2, 'http', 'api/cli/whoami', [
        response(3, { body: JSON.stringify(whoami), rules: [hasKey] }),
        response(4, { body: '{"error":"unauthorized"}', statusCode: 401, default: true }),
      ]),
      route(5, 'crud', 'api/cli/tasks', [
        response(6, { bodyType: 'DATABUCKET', databucketID: 'task', default: true }),
      ]),
    ],
    rootChildren: [2, 5].map((n) => ({ type: 'route', uuid: uuid(n) })),
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
    data: [{ uuid: uuid(7), id: 'task', name: 'tasks', documentation: '', value: tasks }],
    callbacks: [],
  }
}

const hasKey = {
  target: 'header',
  modifier: 'Authorization',
  value: '^Bearer .+',
  invert: false,
  operator: 'regex',
}

function route(id: number, type: 'http' | 'crud', endpoint: string, responses: readonly object[]): object {
  return {
    uuid: uuid(id),
    type,
    documentation: '',
    method: type === 'http' ? 'get' : '',
    endpoint,
    responses,
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }
}

function response(id: number, own: object): object {
  return {
    uuid: uuid(id),
    body: '',
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: true,
    fallbackTo404: false,
    default: false,
    crudKey: 'id',
    callbacks: [],
    ...own,
  }
}
