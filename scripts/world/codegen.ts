/**
 * `npm run world codegen`: generators of clients, checkers of documents and servers of them, as npm has them, take the
 * OpenAPI document. Prints the table of docs/types.md; what a generator writes must compile. Exits with code 1 where one
 * fails. Words behind it: only tools whose name holds one. Outside CI.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openapiText } from '#cli/openapi/main.ts'

interface Tool {
  /** Name of the package on npm. */
  readonly name: string
  readonly version: string
  readonly command: string
  /** The file that it generates; unset: it checks the document. */
  readonly output?: string
  /** Packages that it or its output imports. */
  readonly needs?: readonly string[]
  /** Outcome in words of a tool that neither generates nor checks; unset: the usual words. */
  readonly success?: string
}

const compiler = 'typescript@5.9.3'

const tools: readonly Tool[] = [
  {
    ...{ name: 'openapi-typescript', version: '7.13.0', output: 'api.ts' },
    command: 'openapi-typescript openapi.json -o api.ts',
  },
  {
    ...{ name: '@hey-api/openapi-ts', version: '0.99.0', output: 'api/index.ts' },
    command: 'openapi-ts -i openapi.json -o api',
  },
  {
    ...{ name: 'orval', version: '8.38.0', output: 'api.ts', needs: ['axios'] },
    command: 'orval --input openapi.json --output api.ts',
  },
  {
    ...{ name: 'openapi-typescript-codegen', version: '0.31.0', output: 'api/index.ts' },
    command: 'openapi --input openapi.json --output api --client fetch',
  },
  {
    ...{ name: 'swagger-typescript-api', version: '13.13.0', output: 'api/api.ts' },
    command: 'swagger-typescript-api generate -p openapi.json -o api -n api.ts',
  },
  {
    ...{ name: 'openapi-zod-client', version: '1.18.3', output: 'api.ts', needs: ['@zodios/core', 'zod@3'] },
    command: 'openapi-zod-client openapi.json -o api.ts',
  },
  {
    ...{ name: '@redocly/cli', version: '2.77.0' },
    command: 'redocly lint openapi.json',
  },
  {
    ...{ name: '@stoplight/spectral-cli', version: '6.16.3' },
    command: 'spectral lint openapi.json --ruleset rules.yaml',
  },
  {
    ...{ name: '@apidevtools/swagger-parser', version: '13.1.0' },
    command: 'node check.mjs',
  },
  {
    ...{ name: '@kubb/cli', version: '4.39.3', output: 'api/index.ts' },
    command: 'kubb generate',
    needs: ['core', 'plugin-oas', 'plugin-ts', 'plugin-zod', 'plugin-client']
      .map((part) => `@kubb/${part}@4.39.3`)
      .concat('axios', 'zod@4'),
  },
  {
    ...{
      name: '@stoplight/prism-cli',
      version: '5.16.0',
      success: 'answers with the examples, and 401 without a key',
    },
    command: 'node prism.mjs',
  },
  {
    ...{ name: 'dredd', version: '14.1.0', success: 'finds the 21 successes of the mock as documented' },
    command: 'dredd',
  },
]

/** Ports of the servers that are asked. */
const ports = { prism: 4471, mock: 4472 }

/** Files beside the document: the settings of tools, and what asks those that are servers. */
const files = {
  'package.json': '{"type":"module"}',
  'kubb.config.js': `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'
export default defineConfig({
  input: { path: 'openapi.json' },
  output: { path: 'api' },
  plugins: [pluginOas(), pluginTs(), pluginZod(), pluginClient()],
})
`,
  'prism.mjs': `import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
const prism = spawn('prism', ['mock', 'openapi.json', '--port', '${ports.prism}'], { stdio: 'ignore' })
const statusOf = async (headers) =>
  (await fetch('http://127.0.0.1:${ports.prism}/api/cli/whoami', { headers })).status
while (!(await statusOf({}).catch(() => undefined))) await setTimeout(100)
const statuses = [await statusOf({}), await statusOf({ authorization: 'Bearer any' })]
prism.kill()
if (String(statuses) !== '401,200') throw new Error(String(statuses))
`,
  'dredd.yml': JSON.stringify({
    blueprint: 'openapi.json',
    endpoint: `http://127.0.0.1:${ports.mock}`,
    server: `${process.execPath} ${join(import.meta.dirname, '../../cli/main.ts')} mock --port ${ports.mock} --log off`,
    'server-wait': 5,
    header: ['Authorization: Bearer wak_test_demo', 'Cookie: work_agent_session=was_test_demo'],
    hookfiles: ['hooks.cjs'],
    // Dredd fails without it.
    path: [],
  }),
  // Dredd sends one request for each documented status, with ids of the examples, which no document has.
  'hooks.cjs': `const hooks = require('hooks')
let item
hooks.beforeEach((transaction, done) => {
  transaction.skip = !transaction.expected.statusCode.startsWith('2')
  if (item) transaction.fullPath = transaction.fullPath.replace(/documents\\/[^/]+/, 'documents/' + item.id)
  done()
})
hooks.afterEach((transaction, done) => {
  if (transaction.real) item = JSON.parse(transaction.real.body).item ?? item
  done()
})
`,
  'openapi.json': openapiText('both', 'https://staging.example'),
  'rules.yaml': 'extends: ["spectral:oas"]\n',
  'check.mjs': "await (await import('@apidevtools/swagger-parser')).default.validate('openapi.json')\n",
}

/** Runs a command; returns its last lines of output if it fails, else undefined. */
function failureOf(cwd: string, command: string): string | undefined {
  const [program = '', ...args] = command.split(' ')
  const env = { ...process.env, PATH: `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}` }
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return undefined
  return `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim().split('\n').slice(-20).join('\n')
}

/** Runs a tool on the document; returns the outcome in words, and the output if it failed. */
function tried({ name, version, command, output, success, needs = [] }: Tool): {
  says: string
  problem?: string
} {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'codegen-'))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder.path, file), text)
  const packages = [`${name}@${version}`, compiler, '@types/node@24', ...needs].join(' ')
  const failed = (says: string, problem: string | undefined) => problem !== undefined && { says, problem }
  const compile =
    'tsc --noEmit --strict --skipLibCheck --allowImportingTsExtensions --target esnext --module esnext --moduleResolution bundler'
  return (
    failed('not installed', failureOf(folder.path, `npm install --no-audit --no-fund ${packages}`)) ||
    failed('refuses it', failureOf(folder.path, command)) ||
    (output !== undefined &&
      failed('writes what does not compile', failureOf(folder.path, `${compile} ${output}`))) || {
      says: success ?? (output === undefined ? 'finds no error' : 'writes what compiles under `strict`'),
    }
  )
}

const words = process.argv.slice(2)
console.log('| Tool | Version | Command | Outcome |\n|---|---|---|---|')
for (const tool of tools.filter(
  ({ name }) => words.length === 0 || words.some((one) => name.includes(one)),
)) {
  const { says, problem } = tried(tool)
  console.log(`| ${tool.name} | ${tool.version} | \`${tool.command}\` | ${says} |`)
  if (problem === undefined) continue
  console.error(problem)
  process.exitCode = 1
}
