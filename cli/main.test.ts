/** The command line as a whole, the words that start it, and its small commands. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import suite from '../package.json' with { type: 'json' }
import { commandDefinitions } from './command-lines.ts'
import { invocationOf } from './invocation.ts'
import { openapiText } from './openapi/main.ts'
import { createTestFolder } from './testing/folder.ts'
import { runCliInProcess } from './testing/in-process.ts'
import { runCli } from './testing/process.ts'

test('an unknown command is one line and exit 2', async () => {
  const err = "work-agent-contract: unknown command 'mok' (Did you mean mock?)\n"
  expect(await runCli('mok')).toEqual({ code: 2, out: '', err })
  expect(await runCliInProcess('help mok')).toMatchObject({ code: 2, out: '', err })
})

test('--help lists every command with a sentence and an example, and exits 0', async () => {
  const { code, out, err } = await runCliInProcess('--help')
  expect([code, err]).toEqual([0, ''])
  // A long command goes on behind a backslash.
  const words = out.replace(/(?: \\)?\s+/g, ' ')
  for (const { name, summary, example } of commandDefinitions) {
    expect(words).toContain(summary)
    expect(words).toContain(`work-agent-contract ${name} ${example}`)
  }
})

test('without a command it prints the help and exits 2', async () => {
  expect(await runCliInProcess('')).toEqual({ ...(await runCliInProcess('--help')), code: 2 })
})

test('--version prints the version and exits 0', async () => {
  expect(await runCliInProcess('--version')).toEqual({ code: 0, out: `${suite.version}\n`, err: '' })
})

test('help of a command lists its flags in groups with their variables and exits 0', async () => {
  const help = await runCliInProcess('mock --help')
  expect([help.code, help.err]).toEqual([0, ''])
  expect(help.out).toMatch(/^Runs:\n {2}--run-duration <2s>(?:.+\n)+? +.*\[WORK_AGENT_MOCK_RUN_DURATION\]$/m)
  expect(help.out).toMatch(/^Example:\n {2}work-agent-contract mock /m)
  expect(await runCliInProcess('help mock')).toEqual(help)
})

test('a command leaves variables of all others alone', async () => {
  const others = commandDefinitions.filter(({ name }) => name !== 'verify')
  const env = Object.fromEntries(
    others.map(({ name }) => [`WORK_AGENT_${name.toUpperCase()}_CONFIG`, '/no/such']),
  )
  expect((await runCliInProcess('verify --list', env)).code).toBe(0)
})

test.each([
  ['a script of a clone', '/clone/cli/main.ts', { npm_lifecycle_event: 'check' }, 'npm run check --'],
  ['its source', '/clone/cli/main.ts', {}, 'node cli/main.ts check'],
  ['its bundle', '/clone/dist/bin.js', {}, 'node dist/bin.js check'],
  ['npx', '/project/node_modules/.bin/work-agent-contract', {}, 'npx --no-install work-agent-contract check'],
  [
    'a script of a project',
    '/project/node_modules/work-agent-contract/dist/bin.js',
    { npm_lifecycle_event: 'check' },
    'npx --no-install work-agent-contract check',
  ],
  ['a command of the machine', '/usr/local/bin/work-agent-contract', {}, 'work-agent-contract check'],
])('a printed command works where this one is %s', (_, file, env, start) => {
  const cwd = () => '/clone'
  expect(invocationOf('check', { argv: ['/usr/bin/node', file], env, cwd }).join(' ')).toBe(start)
})

/** An environment that holds a key, and whose file cannot even be named. */
const failing = (message: string) => ({
  WORK_AGENT_OTHER_API_KEY: 'other-s3cret',
  WORK_AGENT_CONFIG: {
    toString() {
      throw new TypeError(message)
    },
  } as never,
})

test.each([
  ['--api-key', 'first-s3cret'],
  ['--api-key=first-s3cret'],
])('a call with %s shows none of its secrets', async (...option) => {
  const env = failing('unexpected token: first-s3cret, other-s3cret,\n"password": "p", wak_test_ada')
  const { code, out, err } = await runCliInProcess(['verify', 'http://127.0.0.1:1', ...option], env)
  expect([code, out]).toEqual([3, ''])
  expect(err).toMatch(
    /^verify: error in work-agent-contract itself: unexpected token: \[redacted\], \[redacted\],\S*"password": "\[redacted\]", \[redacted\], at .*; please report it\n$/,
  )
})

/** The two variables, as a shell has them after `eval`. */
const evaluated = (lines: string) => {
  const script = 'eval "$0"; printf "%s\\n%s" "$WORK_AGENT_BASE_URL" "$WORK_AGENT_API_KEY"'
  return execFileSync('sh', ['-c', script, lines], { encoding: 'utf8' }).split('\n')
}

test.each([
  ['', {}, '4402', 'wak_test_demo'],
  ['--port 4500 --key ada', {}, '4500', 'wak_test_ada'],
  ['', { WORK_AGENT_ENV_PORT: '1', WORK_AGENT_ENV_KEY: 'grace' }, '1', 'wak_test_grace'],
  ...['wak_test_ada.fault=whoami=503,ok;rate=0.5', "wak_test_$(id)`id`'x\\"].map(
    (key) => [`--key ${key}`, {}, '4402', key] as const,
  ),
] as const)('env %s is what a shell evaluates, also with the variables %j', async (flags, env, port, key) => {
  const { code, out, err } = await runCliInProcess(`env ${flags}`, env)
  expect([code, err]).toEqual([0, ''])
  expect(evaluated(out)).toEqual([`http://127.0.0.1:${port}`, key])
})

test('openapi prints the document of a variant, or writes it to a file and nothing else', async () => {
  const out = openapiText('second')
  expect(await runCliInProcess('openapi --variant second')).toEqual({ code: 0, out, err: '' })
  const { folder, file, read } = createTestFolder()
  expect(await runCliInProcess(`openapi --output ${file('openapi.json')}`)).toEqual({
    code: 0,
    out: '',
    err: '',
  })
  expect([readdirSync(folder), read('openapi.json')]).toEqual([['openapi.json'], openapiText('both')])
})

const health = async (argv: string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runCliInProcess(['health', ...argv], env)
  return { code, said: out + err }
}

/** The address of a server that ends with the test. */
async function serving(handle: () => Response | Promise<Response>): Promise<string> {
  const { url, close } = await listen({ handle: async () => handle() })
  onTestFinished(close)
  return url
}

test.each([
  {},
  { variant: 'second' },
  { strictClient: 'any' },
  { force: 'unavailable' },
] as const)('health: a mock with %j answers', async (options) => {
  const { url, close } = await listen(createMock(options))
  onTestFinished(close)
  expect(await health([url])).toEqual({ code: 0, said: '' })
  expect(await health([], { WORK_AGENT_HEALTH_URL: `${url}/` })).toEqual({ code: 0, said: '' })
})

test('health and mock -- use no proxy for this machine, whatever the environment says', async () => {
  const proxied = { http_proxy: 'http://127.0.0.1:1', NODE_USE_ENV_PROXY: '1', NO_PROXY: 'example.com' }
  const { url, close } = await listen(createMock())
  onTestFinished(close)
  expect(await runCli(['health', url], proxied)).toEqual({ code: 0, out: '', err: '' })
  const script = `process.getBuiltinModule('node:http').get(process.env.WORK_AGENT_BASE_URL, ({ statusCode }) =>
    console.log(statusCode, process.env.no_proxy))`
  const beside = await runCli(
    ['mock', '--port', '0', '--log', 'off', '--', process.execPath, '-e', script],
    proxied,
  )
  expect([beside.code, beside.out]).toEqual([0, '200 example.com,127.0.0.1\n'])
})

test('health: another service, one that is silent, and nobody are one line and exit 1', async () => {
  const other = await serving(() => Response.json({}))
  const page = await serving(() => new Response('<p>Login</p>', { status: 401 }))
  const silent = await serving(() => new Promise(() => undefined))
  const calls = [[other], [page], [silent, '--timeout', '200ms'], ['http://127.0.0.1:2']]
  const needed = 'not with 401 and {"error":"unauthorized"}'
  expect(await Promise.all(calls.map((argv) => health(argv)))).toEqual([
    { code: 1, said: `health: ${other}/api/cli/whoami answers 200, ${needed}\n` },
    { code: 1, said: `health: ${page}/api/cli/whoami answers 401, ${needed}\n` },
    { code: 1, said: `health: ${silent}/api/cli/whoami does not answer within 0.2 s\n` },
    { code: 1, said: 'health: http://127.0.0.1:2/api/cli/whoami does not answer: ECONNREFUSED\n' },
  ])
})
