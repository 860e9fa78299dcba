/**
 * Every file that is made from a source, with the function that makes it. `npm run generate [WORD…]` writes those whose
 * paths contain one of the words, or all. `http-clients` and `gateways` (20 and 4
 * minutes), `pictures` (needs Chromium) and `names` are written only where they are named.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { commandDefinitions } from '#cli/command-lines.ts'
import { clientDemands } from '#client-tests/every-fault/effects.ts'
import { clientRules } from '#client-tests/rules/index.ts'
import type { Examples } from '#contract/openapi/document.ts'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { parseSpecificationRules, requirementsPage } from '#contract-tests/traceability/trace.ts'
import { createMock } from '#mocks/app.ts'
import { explanationAnchors } from '#mocks/control/why.ts'
import { controlRoutes } from '#mocks/edges/admin/index.ts'
import { quirkTable } from '#mocks/quirks/create.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { testOrigin, uncheckedClientOf } from '#mocks/testing/client.ts'
import { badClients } from '#proof/bad-clients/index.ts'
import { defects } from '#proof/defects/index.ts'
import { legalVariations } from '#proof/legal-variations/index.ts'
import { renderProof } from '#proof/page.ts'
import { renderBenchmarksPage } from './bench/results.ts'
import { apiPage } from './docs/api-page.ts'
import {
  clientReportPage,
  controlIndex,
  flagsPage,
  quirksPage,
  specificationSentencesOf,
} from './docs/tables.ts'

const specification = () => readFileSync('docs/specification.md', 'utf8')
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The functions that make the content of each generated file, by its path from the root of the repository. */
export const generatedFiles: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(
    variants.map((variant) => [
      `contract/examples/${variant}.json`,
      async () => json(await examplesOf(variant)),
    ]),
  ),
  // Every rule that requirements and the reasons of the mock name.
  'contract/sentences.json': () =>
    json(specificationSentencesOf(specification(), [...specificationAnchors(), ...explanationAnchors])),
  'contract-tests/model/requirement-id.ts': requirementIds,
  'contract-tests/model/rule-anchor.ts': ruleAnchorsFile,
  'traffic/client-rule-id.ts': () =>
    `/** The ids of the rules for clients (docs/client-report.md). Generated from them. */\nexport type ClientRuleId =\n${unionOf(clientDemands)}\n`,
  'mocks/core/quirk-id.ts': () =>
    `/** The ids of the quirks (docs/quirks.md). Generated from them. */\nexport type QuirkId =\n${unionOf(quirkTable)}\n`,
  'contract-tests/REQUIREMENTS.md': () =>
    requirementsPage(parseSpecificationRules(specification()), catalogue),
  'docs/api.md': async () =>
    apiPage({ first: await examplesOf('first'), second: await examplesOf('second') }),
  'docs/benchmarks.md': () => renderBenchmarksPage(JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'))),
  'docs/client-report.md': () =>
    clientReportPage(readFileSync('docs/client-report.md', 'utf8'), clientDemands, scenarios),
  'docs/comparison.md': () => comparisonPage(readFileSync('docs/comparison.md', 'utf8')),
  'docs/control-api.md': () => controlIndex(controlRoutes),
  'docs/flags.md': () => flagsPage(commandDefinitions),
  'docs/quirks.md': () => quirksPage(quirkTable),
  'proof/PROOF.md': renderProof,
}

/** The page of the comparison with current counts. */
function comparisonPage(page: string): string {
  const counts = Object.entries({
    rules: clientRules,
    requirements: catalogue,
    defects,
    'legal variations': legalVariations,
    'bad clients': badClients,
  })
  return counts.reduce(
    (text, [what, { length }]) => text.replace(new RegExp(`\\d+ ${what}`), `${length} ${what}`),
    page,
  )
}

const unionOf = (named: readonly { readonly id: string }[]) => named.map(({ id }) => `  | '${id}'`).join('\n')

/** The ids of the catalogue as a type, so that a misspelled one does not compile. */
function requirementIds(): string {
  return `/** The ids of all requirements. Generated from the catalogue. */
export type RequirementId =
${unionOf(catalogue)}

/** Ids of requirements by a pattern, in which \`*\` stands for any text. */
export type RequirementPattern = RequirementId | \`\${string}*\${string}\`
`
}

/** The anchors as the page has them: the type may be older. */
const specificationAnchors = () => parseSpecificationRules(specification()).map(({ anchor }) => anchor)

/** The anchors of the specification as a type, so that a misspelled one does not compile. */
function ruleAnchorsFile(): string {
  const anchors = specificationAnchors().map((anchor) => `  '${anchor}',`)
  return `/** The anchors of all rules of docs/specification.md, in its order. Generated from it. */
export const ruleAnchors = [
${anchors.join('\n')}
] as const

/** The anchor of a rule of docs/specification.md. */
export type RuleAnchor = (typeof ruleAnchors)[number]
`
}

const base = 'http://127.0.0.1:4402'
const now = '2026-03-02T09:00:00Z'

const bodies: Partial<Record<OperationId, object>> = {
  createKey: { name: 'Laptop' },
  createTask: { text: 'Write a follow-up e-mail to everyone who asked for an offer' },
  createDocument: {
    title: 'Offer',
    kind: 'brief',
    content_md: '# Offer\n\nThree options.\n',
    summary: 'What we offer',
  },
  generateCreative: { prompt: 'A lighthouse at dawn', size: '1024x1024' },
  createLandingPage: { business_name: 'Lighthouse Tours', page_type: 'lead', publish: true },
}

const made: Partial<Record<Variant, Promise<Examples>>> = {}
/** The examples of a variant, made once for the two files that hold them. */
function examplesOf(variant: Variant): Promise<Examples> {
  made[variant] ??= makeExamples(variant)
  return made[variant]
}

/** Sends one request for every operation; returns the requests and their answers. */
async function makeExamples(variant: Variant): Promise<Examples> {
  const mock = createMock({ variant, now })
  mock.clock.freeze(Date.parse(now))
  const fetch = (request: Request) => mock.fetch(new Request(request.url.replace(testOrigin, base), request))
  const { call } = uncheckedClientOf({ ...mock, fetch })
  /** The first resource of each list, by the word of its routes. */
  const ids = new Map<string, string>()
  const examples: Partial<Record<OperationId, { body?: unknown; answer: unknown }>> = {}
  for (const operation of inOrder) {
    const [, , , list = ''] = routeOf(operation).path.split('/')
    const sent = bodies[operation] && { body: bodies[operation] }
    const { status, body: answer, text } = await call(operation, { id: ids.get(list) ?? '', ...sent })
    if (status >= 300) throw new Error(`${operation}: ${status} ${text}`)
    const { task, item, key, items } = answer as Record<string, { id: string } & { id: string }[]>
    const { id } = task ?? item ?? key ?? items?.[0] ?? {}
    if (id !== undefined && !ids.has(list)) ids.set(list, id)
    examples[operation] = { ...sent, answer }
  }
  return Object.fromEntries(operationIds.map((id) => [id, examples[id]]))
}

/** Creating operations come before reading ones, deleting ones last. */
const inOrder: OperationId[] = [
  ...operationIds.filter((id) => id.startsWith('create')),
  ...operationIds.filter((id) => !/^(create|delete)/.test(id)),
  'deleteKey',
]

const slow = {
  'http-clients': './http-clients/main.ts',
  gateways: './world/gateways-main.ts',
  pictures: './docs/pictures.ts',
  names: './names.ts',
} as const

if (import.meta.main)
  for (const word of process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['']) {
    const files = Object.keys(generatedFiles).filter((file) => file.includes(word))
    if (Object.hasOwn(slow, word)) await import(slow[word as keyof typeof slow])
    else if (files.length === 0) {
      console.error(
        `Nothing generated is called ${word}: ${[...Object.keys(generatedFiles), ...Object.keys(slow)].join(', ')}`,
      )
      process.exitCode = 2
    }
    for (const file of files) writeFileSync(file, (await generatedFiles[file]?.()) ?? '')
  }
