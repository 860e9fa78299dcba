/**
 * `npm run proof openapi`: proves the OpenAPI documents from outside. Prism stands as a validating proxy before the
 * mock while the whole suite runs through it, and must find nothing. That it would find something is shown by a
 * document that no answer meets, and by a mock with defects. Needs the registry. Exit codes: 0 proven, 1 not.
 */
import { openapiText } from '#cli/openapi/main.ts'
import { failures } from '#contract/errors.ts'
import { failuresOf, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import type { OutgoingRequest, Target, Transport } from '#contract-tests/client/target.ts'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import { type SuiteSettings, settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { createHttpTarget } from '#contract-tests/targets/http.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { listen } from '#mocks/edges/http.ts'
import type { EdgeRequest } from '#mocks/edges/request.ts'
import { mutationsOfDefects } from '#proof/defects/index.ts'
import { createMutatedMock, type Mutation, operationOf } from '#proof/mutations/mutation.ts'
import { installPackages, startSideProcess } from '../bench/server.ts'
import {
  checkedAnswerCounts,
  type InspectedExchange,
  inspectProxiedExchange,
  type OpenapiPaths,
  unsatisfiableDocument,
  unseenAnswersOf,
} from './inspection.ts'

/** Runs the suite through Prism against a mock; returns every exchange, checked against a document. */
async function throughPrism(document: object, variant: Variant, mutations: readonly Mutation[] = []) {
  const { mock, target, access } = createEmbeddedMock({ variant }, (options) =>
    createMutatedMock(mutations, options),
  )
  /** Statuses of the mock by the id of the request: Prism answers some requests itself. */
  const answered = new Map<string, number | 'lost'>()
  const service = {
    async handle(request: EdgeRequest) {
      const id = request.header('x-request-id') ?? ''
      answered.set(id, 'lost')
      const response = await mock.handle(request)
      answered.set(id, response.status)
      return response
    },
  }
  await using listener = await listen(service)
  await using prism = await startPrism(document, listener.url)
  const proxy = `http://127.0.0.1:${prism.port}`
  const http = createHttpTarget(proxy)
  const exchanges: InspectedExchange[] = []
  /** Number of exchanges that bypassed the proxy. */
  let middleware = 0
  const transport: Transport = async (url, outgoing) => {
    if (!isPassedOn(url, outgoing.body)) {
      middleware++
      return http.transport(url.replace(proxy, listener.url), outgoing)
    }
    const response = await http.transport(url, outgoing)
    const operation = operationOf(outgoing.method, url)
    const upstream = answered.get(outgoing.headers['x-request-id'] ?? '')
    // An answer that the mock loses on purpose is no answer of the mock, whatever the proxy makes of it.
    if (operation && upstream !== 'lost') {
      const { authorization, 'content-type': mediaType } = outgoing.headers
      const violations = response.headers.get('sl-violations')
      const { status } = response
      exchanges.push(
        inspectProxiedExchange({ operation, status, upstream, url, authorization, mediaType, violations }),
      )
    }
    return response
  }
  // Provider states are no part of the document: they are set up at the mock itself.
  const statesUrl = `${listener.url}/__admin/states`
  // Prism reads a whole body before it passes it on, while mock time goes by.
  const skip = ['PATH-SLOW-BODY']
  const settings = settingsWithDefaults({ ...access, statesUrl, extended: 'on', maxCredits: 20, skip })
  const proxied = { ...http, transport, sleep: target.sleep, now: target.now }
  try {
    const run = await runSuite({ target: proxied, settings })
    await askForEveryError(proxied, settings, variant)
    const red = resultsWithOutcome(run, 'failed', 'warned', 'harness_error').map(
      ({ requirement }) => requirement.id,
    )
    return { exchanges, middleware, red }
  } finally {
    await http.close()
  }
}

/**
 * False for requests that Prism changes or does not pass on. It refuses (5.14) or never answers (5.16) what is not
 * JSON, sends nothing for `null`, `false` and `0`, sends a text without its quotes, and replaces bytes that are not
 * UTF-8; a path that is not UTF-8 ends it.
 */
function isPassedOn(url: string, body = '{}'): boolean {
  try {
    decodeURIComponent(url)
    const value = JSON.parse(body)
    return body.isWellFormed() && typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/**
 * Provokes the errors that the suite cannot provoke everywhere, such as a 500: the mock answers with any error on
 * request. For an unreadable body it sends one that is not an object.
 */
async function askForEveryError(
  { baseUrl, transport }: Target,
  { apiKey, sessionCookie = '' }: SuiteSettings,
  variant: Variant,
): Promise<void> {
  for (const operation of operationIds) {
    const { method, path, auth, body } = routeOf(operation)
    const ask = async (
      name: string,
      more: Pick<OutgoingRequest, 'body'>,
      headers: OutgoingRequest['headers'],
    ) => {
      const credentials = auth === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie: sessionCookie }
      const id = { 'x-request-id': `${operation} ${name}` }
      const outgoing = { method, headers: { ...credentials, ...id, ...headers }, ...more }
      await (await transport(baseUrl + path.replace(':id', 'any'), outgoing)).arrayBuffer()
    }
    const statuses = new Set(failuresOf(operation).map((name) => failures[name].status[variant]))
    for (const status of statuses) await ask(String(status), {}, { prefer: `code=${status}` })
    if (body) await ask('no object', { body: '[]' }, { 'content-type': 'application/json' })
  }
}

const name = 'prism-proxy'

/**
 * Starts Prism between a client and a service. Without `--errors` it passes everything on and tells what it finds in
 * the header `sl-violations`; with it, Prism itself would answer what the suite gets wrong on purpose. The suite asks
 * for ids of 10 kB.
 */
const startPrism = (document: object, upstream: string) =>
  startSideProcess({
    name,
    files: () => ({ 'openapi.json': JSON.stringify(document) }),
    command: `node --max-http-header-size=65536 node_modules/@stoplight/prism-cli/dist/index.js proxy openapi.json
      ${upstream} --host=127.0.0.1 --port=PORT --verboseLevel=silent`,
  })

/** Defects that a document can tell, and the operation in which it does. */
const telling = {
  'shape-whoami-credits-string': 'whoami',
  'shape-listTasks-items-status': 'listTasks',
  'shape-getTask-finished': 'getTask',
  'limit-no-retry-after': 'listDocuments',
} as const

const problems: string[] = []
const [version] = installPackages(name, ['@stoplight/prism-cli@5'])
console.log(`Prism ${version}, Node ${process.version}`)
for (const variant of variants) {
  for (const view of [variant, 'both'] as const) await proveDocument(variant, view)
  await proveThatAllIsInspected(variant)
  await proveThatDefectsAreFound(variant)
}
for (const problem of problems) console.log(problem)
console.log(problems.length === 0 ? 'proven' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function proveDocument(variant: Variant, view: Variant | 'both'): Promise<void> {
  const document: OpenapiPaths = JSON.parse(openapiText(view))
  const { exchanges, middleware, red } = await throughPrism(document, variant)
  const seen = checkedAnswerCounts(exchanges)
  const violations = violationsOf(exchanges)
  const name = `mock of the ${variant} variant, document of ${view}`
  const passed = `${middleware} went around it; ${red.length} requirements broken`
  console.log(`\n${name}: ${summaryOf(exchanges)}; ${passed}`)
  const counts = Object.entries(seen).map(([name, count]) => `${name} ×${count}`)
  if (view === variant) console.log(counts.join(', '))
  // The document of both has statuses of the other variant too.
  const gaps = view === 'both' ? [] : unseenAnswersOf(document, seen)
  const missed = exchanges.filter(({ isInspected }) => !isInspected)
  problems.push(...red.map((id) => `${name}: the suite finds ${id} broken`))
  problems.push(...missed.map(({ operation, status }) => `${name}: ${operation} ${status} was not inspected`))
  problems.push(...violations.map((text) => `${name}: ${text}`))
  problems.push(...gaps.map((gap) => `${name}: ${gap} was never inspected`))
}

async function proveThatAllIsInspected(variant: Variant): Promise<void> {
  const passage = await throughPrism(unsatisfiableDocument(JSON.parse(openapiText(variant))), variant)
  const exchanges = passage.exchanges.filter(({ isInspected }) => isInspected)
  const missed = exchanges.filter(({ violations }) => violations.length === 0)
  const found = exchanges.length - missed.length
  console.log(`\nA document that no answer meets: ${found} of ${exchanges.length} found`)
  problems.push(...missed.map(({ operation, status }) => `${operation} ${status} was not inspected`))
}

async function proveThatDefectsAreFound(variant: Variant): Promise<void> {
  const mutations = mutationsOfDefects(...Object.keys(telling))
  const { exchanges } = await throughPrism(JSON.parse(openapiText(variant)), variant, mutations)
  for (const [id, operation] of Object.entries(telling)) {
    const [found] = violationsOf(exchanges.filter((one) => one.operation === operation))
    console.log(`Defect ${id}: ${found ?? 'not found'}`)
    if (found === undefined) problems.push(`the defect ${id} is not found in ${operation}`)
  }
}

function violationsOf(exchanges: readonly InspectedExchange[]): string[] {
  const told = exchanges.flatMap(({ operation, status, violations }) =>
    violations.map(({ location, message }) => `${operation} ${status}: ${location.join('.')}: ${message}`),
  )
  return [...new Set(told)]
}

function summaryOf(exchanges: readonly InspectedExchange[]): string {
  const inspected = exchanges.filter(({ isInspected }) => isInspected)
  const different = (of: 'operation' | 'status') => new Set(inspected.map((one) => one[of])).size
  const violations = exchanges.flatMap((one) => one.violations).length
  return `${inspected.length} exchanges inspected, ${different('operation')} operations, ${different('status')} statuses, ${violations} violations`
}
