/**
 * `npm run proof openapi`: proves the OpenAPI documents from outside. Prism stands as a validating proxy before the
 * mock while the whole suite runs through it, and must find nothing. That it would find something is shown by a
 * document that no answer meets, and by a mock with defects. Needs the registry. Exit codes: 0 proven, 1 not.
 */
import { openapiText } from '#cli/openapi/main.ts'
import { type Variant, variants } from '#contract/route.ts'
import { defects } from '#proof/defects/index.ts'
import { type Documented, gapsIn, type Inspected, impossible, type Seen, seenOf } from './inspection.ts'
import { installPrism, throughPrism } from './through-prism.ts'

/** Defects that a document can tell, and the operation in which it does. */
const telling = {
  'shape-whoami-credits-string': 'whoami',
  'shape-listTasks-items-status': 'listTasks',
  'shape-getTask-finished': 'getTask',
  'limit-no-retry-after': 'listDocuments',
} as const

const problems: string[] = []
console.log(`Prism ${installPrism()}, Node ${process.version}`)
for (const variant of variants) {
  for (const view of [variant, 'both'] as const) await proveDocument(variant, view)
  await proveThatAllIsInspected(variant)
  await proveThatDefectsAreFound(variant)
}
for (const problem of problems) console.log(problem)
console.log(problems.length === 0 ? 'proven' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function proveDocument(variant: Variant, view: Variant | 'both'): Promise<void> {
  const document: Documented = JSON.parse(openapiText(view))
  const { exchanges, middleware, red } = await throughPrism(document, variant)
  const seen = seenOf(exchanges)
  const violations = violationsOf(exchanges)
  const name = `mock of the ${variant} variant, document of ${view}`
  console.log(
    `\n${name}: ${summaryOf(exchanges)}; ${middleware} went around it; ${red.length} requirements broken`,
  )
  if (view === variant) console.log(tableOf(seen))
  // The document of both has statuses of the other variant too.
  const gaps = view === 'both' ? [] : gapsIn(document, seen)
  const missed = exchanges.filter(({ isInspected }) => !isInspected)
  problems.push(...red.map((id) => `${name}: the suite finds ${id} broken`))
  problems.push(...missed.map(({ operation, status }) => `${name}: ${operation} ${status} was not inspected`))
  problems.push(...violations.map((text) => `${name}: ${text}`))
  problems.push(...gaps.map((gap) => `${name}: ${gap} was never inspected`))
}

async function proveThatAllIsInspected(variant: Variant): Promise<void> {
  const passage = await throughPrism(impossible(JSON.parse(openapiText(variant))), variant)
  const exchanges = passage.exchanges.filter(({ isInspected }) => isInspected)
  const missed = exchanges.filter(({ violations }) => violations.length === 0)
  console.log(
    `\nA document that no answer meets: ${exchanges.length - missed.length} of ${exchanges.length} found`,
  )
  problems.push(...missed.map(({ operation, status }) => `${operation} ${status} was not inspected`))
}

async function proveThatDefectsAreFound(variant: Variant): Promise<void> {
  const chosen = defects.filter(({ id }) => Object.hasOwn(telling, id))
  const { exchanges } = await throughPrism(
    JSON.parse(openapiText(variant)),
    variant,
    chosen.map((defect) => defect.mutate()),
  )
  for (const [id, operation] of Object.entries(telling)) {
    const [found] = violationsOf(exchanges.filter((one) => one.operation === operation))
    console.log(`Defect ${id}: ${found ?? 'not found'}`)
    if (found === undefined) problems.push(`the defect ${id} is not found in ${operation}`)
  }
}

function violationsOf(exchanges: readonly Inspected[]): string[] {
  const told = exchanges.flatMap(({ operation, status, violations }) =>
    violations.map(({ location, message }) => `${operation} ${status}: ${location.join('.')}: ${message}`),
  )
  return [...new Set(told)]
}

function summaryOf(exchanges: readonly Inspected[]): string {
  const inspected = exchanges.filter(({ isInspected }) => isInspected)
  const operations = new Set(inspected.map(({ operation }) => operation))
  const statuses = new Set(inspected.map(({ status }) => status))
  return [
    `${inspected.length} exchanges inspected`,
    `${operations.size} operations`,
    `${statuses.size} statuses`,
    `${exchanges.flatMap(({ violations }) => violations).length} violations`,
  ].join(', ')
}

function tableOf(seen: Seen): string {
  const rows = [...seen].map(([operation, statuses]) => {
    const counts = [...statuses].map(([status, count]) => `${status} ×${count}`)
    return `  ${operation.padEnd(18)} ${counts.join('  ')}`
  })
  return rows.join('\n')
}
