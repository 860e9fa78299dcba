/** A wrong call of any command is one line and exit code 2, without a secret. */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { createSharedFolder } from './testing/folder.ts'
import { type CliCall, runCliInProcess } from './testing/in-process.ts'

const { folder, file, write } = createSharedFolder()

/** A JSON list of mocks for `fleet`; a name for each, so that none is written twice. */
let files = 0
const fleet = (...nodes: readonly object[]) => `fleet --nodes ${write(`nodes-${files++}.json`, nodes)}`
const node = (address: string, slots: string) => ({ address, slots })

const remote = 'verify http://service.test --api-key key'
const id = catalogue[0]?.id ?? ''
const expecting = (content: unknown) =>
  `${remote} --expected-failures ${write(`expected-${files++}.json`, content)}`
const judging = (history: string) => `verify --judge ${write(`history-${files++}.ndjson`, history)}`
const har = (content: string) => write(`recording-${files++}.har`, content)
const configured = (content: object) => `mock --config ${write(`config-${files++}.json`, content)}`
const empty = write('empty.json', {})
mkdirSync(file('findings'))
write('findings/other.json', {})

const needsClient = 'needs a command after --, such as: mock -- npm test\n'
const duration = 'takes a duration such as 2s or 150ms\n'

test.each<[call: CliCall, message: string, env?: Record<string, string>]>([
  ['mock --admin-token é', '--admin-token takes characters that a header can carry\n'],
  ['mock --credits x', '--credits takes a number of credits, 0 to 1,000,000,000,000\n'],
  ['mock', 'WORK_AGENT_MOCK_PORT takes a port from 0 to 65535\n', { WORK_AGENT_MOCK_PORT: '70000' }],
  [['mock', '--fault', 'x\ny'], '--fault does not know '],
  [['mock', 'a\nb'], 'unexpected "a\\nb"; '],
  ['mock now then', 'unexpected "now then"; a command comes after --: mock -- npm test\n'],
  ['mock --', needsClient],
  ['mock --report html=a.html', `--report ${needsClient}`],
  ['mock --report card=a.html -- x', '--report takes json=FILE, '],
  ['mock --scenario nope', '--scenario takes out-of-credits, '],
  ['mock', 'WORK_AGENT_MOCK_STATE takes a non-empty text\n', { WORK_AGENT_MOCK_STATE: '' }],
  [
    configured({ runDuration: 'long' }),
    '"runDuration" in FILE takes a duration such as 2s or 150ms, at most 365d\n',
  ],
  [configured({ logBodies: 'yes' }), '"logBodies" in FILE takes true or false\n'],
  [`mock --from ${har('{"log":{}}')}`, 'cannot rebuild FILE: it is no HAR'],
  [`mock --from ${har('{"log":{"entries":[]}}')}`, 'cannot rebuild FILE: nothing in it is a request'],
  [`mock --from ${har('')} --credits 3`, '--from tells the state: leave out --credits\n'],
  ['mock --until 3', '--until needs --from\n'],
  ['check', 'needs the command of a client after --, such as: check -- node client.js\n'],
  [
    'check --scenario lost-anser -- node',
    '--scenario takes no "lost-anser"; did you mean "lost-answer"? (--list explains them)\n',
  ],
  [['check', '--scenario', '', '--', 'node'], "option '--scenario <ID>' argument missing\n"],
  ['mock --report= -- node', "option '--report <json|junit|md|html|text=FILE>' argument missing\n"],
  ['verify --max-credits=', "option '--max-credits <N>' argument missing\n"],
  ['check --timeout long -- node', `--timeout ${duration}`],
  ['check --list -- node client.js', '--list runs no client: leave it out\n'],
  ['check --timeout 0s -- node', '--timeout takes a duration above 0\n'],
  ['check --timeout 600h -- node', '--timeout takes a duration of at most 24d\n'],
  ['check --strict-client ids-number -- node', '--strict-client takes a seed, or ids of quirks: '],
  ['check --traces -- node x', "option '--traces <DIR>' argument missing\n"],
  ['check --strict-client -- node x', "option '--strict-client <SEED|IDS>' argument missing\n"],
  ['mock --seed -- node x', "option '--seed <text>' argument missing\n"],
  ['check --traces package.json/a -- node', 'cannot write package.json/a/1.har: E'],
  ['check --pairs many -- node', '--pairs takes a whole number, 0 or more\n'],
  ['check --fault runTask=lots -- node', '--fault does not know the fault "lots"; did you mean "lost"?\n'],
  ['check --every-fault --scenario slow-run -- node', 'takes --scenario or faults, not both\n'],
  ['check --fault runTask=503 --runs 2 -- node', 'takes --runs or faults, not both\n'],
  ['check --explain polls-sanly', '--explain: no rule "polls-sanly"; did you mean "polls-sanely"?\n'],
  ['check --scenario slow-run --quiet -- /no/client', 'cannot start /no/client: ENOENT\n'],
  ['verify --api-key k', '--api-key needs a base URL\n'],
  ['verify --header a:b', '--header needs a base URL\n'],
  ['verify', 'WORK_AGENT_API_KEY needs a base URL\n', { WORK_AGENT_BASE_URL: '', WORK_AGENT_API_KEY: 'k' }],
  ['verify http://service.test', 'a base URL needs --api-key K (or WORK_AGENT_API_KEY)\n'],
  ['verify localhost:4402 --api-key k', 'the base URL takes http:// or https://'],
  ['verify http://service.test:10080/ --api-key k', 'the base URL has port 10080, which '],
  [`${remote} --states-url http://me:hush@x.test`, '--states-url takes no user name'],
  [`${remote} --states-url http://x.test:6000`, '--states-url has port 6000, which '],
  ['verify http://service.test --api-key hu\u{1f600}sh', '--api-key contains characters'],
  [`${remote} --session-cookie hush`, '--session-cookie takes name=value\n'],
  ['mock --cors=hush', '--cors takes no value\n'],
  ['verify --api-kye=hush', "unknown option '--api-kye=…'\n"],
  [`${remote} --only NOPE-*`, '--only NOPE-* matches no requirement'],
  [`${remote} --only auth-orgnization`, '--only auth-orgnization matches no requirement; did you mean AUTH-'],
  ['verify --json', '--json needs --list\n'],
  ['verify --list --plan', '--plan does not go with --list\n'],
  ['verify --plan --report json=plan.json', '--report does not go with --plan\n'],
  ['verify http://a --base-url http://b --api-key k', 'one base URL at a time, not 2\n'],
  [`${remote} --level WILL`, '--level takes MUST, SHOULD, or MAY\n'],
  [`${remote} --report json=`, '--report takes json=FILE, '],
  [`${remote} --report json=${tmpdir()}`, `cannot write ${tmpdir()}: it is a directory\n`],
  [`${remote} --report json=package.json/a`, 'cannot write package.json/a: E'],
  [`${remote} --run-timeout 0s`, '--run-timeout takes a duration above 0\n'],
  [
    `${remote} --report json=${empty},html=${empty}`,
    '--report would overwrite FILE, which the command names twice\n',
  ],
  [`${remote} --timeout 0s`, '--timeout takes a duration above 0\n'],
  [`${remote} --concurrency 0`, '--concurrency takes a whole number, 1 or more\n'],
  [`${remote} --max-credits many`, '--max-credits takes a whole number, 0 or more\n'],
  [`${remote} --expected-failures /no/such`, 'cannot read /no/such: ENOENT\n'],
  [expecting('hush'), 'cannot read FILE: it is not JSON\n'],
  [expecting([{ id }]), 'FILE: 0.reason: is missing; it takes a text; '],
  [expecting({ unexercised: [{ id }] }), 'FILE: unexercised.0.reason: is missing; it takes a text; '],
  [expecting({ failurs: [] }), 'FILE: the file: does not take "failurs"; '],
  [expecting({ unexercised: [{ id: 'NOPE', reason: 'a' }] }), 'FILE: no requirement NOPE; '],
  [expecting([{ id: 'NOPE', reason: 'a' }]), 'FILE: no requirement NOPE; '],
  [
    expecting([
      { id, reason: 'a' },
      { id, reason: 'b' },
    ]),
    'FILE: more than one entry for ',
  ],
  [`${remote} --header hush`, "--header takes 'name: value'\n"],
  [`${remote} --header Authorization:hush`, '--header does not take Authorization'],
  [`${remote} --ca package.json`, 'cannot read package.json: it holds no certificate in PEM form\n'],
  ['verify --explain NOPE', '--explain: no requirement "NOPE"; '],
  ['verify --explore-only', '--explore-only needs --explore\n'],
  ['verify --explore 60s --read-only', '--explore creates things: leave --read-only out\n'],
  [
    'verify --explore 60s --explore-only --require-complete',
    '--explore-only leaves out what --require-complete asks for: give one of them\n',
  ],
  ['verify --explore soon', '--explore takes a duration such as 2s or 150ms, or a number of steps\n'],
  ['verify --explore-replay package.json', 'package.json is no saved history: '],
  [`verify --explore-findings ${folder}/findings`, 'FILE is no saved history: '],
  [`verify --judge ${write('deep.json', '['.repeat(100_000))}`, '--judge: FILE: line 1 is'],
  [judging('{"kind":"request"}\n'), '--judge: FILE: line 1 is no event of a history'],
  [judging('hello\n'), '--judge: FILE: line 1 is not JSON'],
  [judging(`{"kind":${'['.repeat(4_000)}\n`), '--judge: FILE: line 1 is nested deeper than 500 levels'],
  [judging('\n'), '--judge: FILE: it holds no event'],
  ['verify http://service.test --judge package.json', '--judge takes a history and no base URL\n'],
  ['proxy', 'needs --upstream'],
  ['proxy --upstream http://a/b', 'needs --upstream'],
  ['proxy --upstream http://localhost:4403', '--upstream is where the proxy itself listens; '],
  ['proxy --upstream http://a:1 --host a --port 1', '--upstream is where the proxy itself listens; '],
  ['proxy --upstream http://a --har /', 'cannot write /'],
  ['proxy --upstream http://a --fail-on all', '--fail-on takes error, warning, or never\n'],
  [`openapi --output ${folder}`, 'cannot write FILE: it is a directory\n'],
  [
    `openapi --config ${empty} --output ${empty}`,
    '--output would overwrite FILE, which the command names twice\n',
  ],
  [`mock --ready-file ${empty}`, '--ready-file would replace FILE, which no mock has written\n'],
  [`judge ${empty} --report json=${empty}`, '--report would overwrite FILE, which the command names twice\n'],
  ['openapi --variant=third', '--variant takes both, first, or second\n'],
  ['env --port 70000', '--port takes a port from 1 to 65535\n'],
  [
    ['env', '--key', 'a b'],
    '--key takes a key of at most 250 characters without spaces, such as wak_test_ada\n',
  ],
  ['health ftp://host', 'the base URL takes http:// or https:// and a host, such as '],
  ['health http://user:hush@host', 'the base URL takes no user name and no password\n'],
  ['health http://host/?key=hush', 'the base URL takes no query and no fragment\n'],
  ['health http://host/#hush', 'the base URL takes no query and no fragment\n'],
  ['health http://a http://b', 'one base URL at a time, not 2\n'],
  [fleet(node('a:1', '0-511/1024')), 'FILE: slot 512 belongs to no mock\n'],
  [fleet(node('a:1', '0-9/10'), node('b:1', '9/10')), 'FILE: slot 9 belongs to a:1 and to b:1\n'],
  [fleet(node('a:1', '0-9/10'), node('b:1', '0-9/20')), 'FILE: b:1 counts 20 slots, and a:1 10\n'],
  ...['a', 'a:0', 'a:65536'].map((address): [string, string] => [
    fleet(node(address, '0-9/10')),
    'FILE: 0.address: takes a host and a port, such as 10.0.0.1:4402\n',
  ]),
  [fleet(node('a:1', '0-4/10'), node('a:1', '5-9/10')), 'FILE: two mocks have the address a:1\n'],
  [
    `${fleet(node('a:1', '0-9/10'))} --bind a:99999`,
    '--bind takes a host and a port, such as 0.0.0.0:4402\n',
  ],
  [fleet(node('127.0.0.1:4402', '0-9/10')), '--bind 127.0.0.1:4402 is the address of a mock, '],
  [fleet(node('a:1', '9-0/10')), 'FILE: 0.slots: takes slots and their number in all, such as 0-511/1024\n'],
  [fleet({ adress: 'a:1' }), 'FILE: the file: does not take "adress"; did you mean "address"?\n'],
  [fleet(), 'FILE: the file: takes at least one mock\n'],
])('%j', async (call, message, env = {}) => {
  const { code, out, err } = await runCliInProcess(call, env)
  expect([code, out, err.split('\n').length], err).toEqual([2, '', 2])
  const [command = ''] = typeof call === 'string' ? call.split(' ') : call
  const said = err.replaceAll(new RegExp(`${folder}(?:/[\\w.-]+\\w)*`, 'g'), 'FILE')
  expect(said.slice(0, command.length + 2 + message.length)).toBe(`${command}: ${message}`)
  expect(err).not.toMatch(/hush/)
})
