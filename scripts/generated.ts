/** Every file that is made from a source, with the function that makes it: `npm run generate` writes them. */
import { readFileSync } from 'node:fs'
import { commandLines } from '#cli/command-lines.ts'
import { demands } from '#client-tests/every-fault/effects.ts'
import type { Examples } from '#contract/openapi/document.ts'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { mapping } from '#contract-tests/traceability/mapping.ts'
import { readRules, requirementsPage } from '#contract-tests/traceability/trace.ts'
import { createMock } from '#mocks/app.ts'
import { allAnchors } from '#mocks/control/why.ts'
import { controlRoutes } from '#mocks/edges/admin/index.ts'
import { quirks } from '#mocks/quirks/create.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { pageOf } from './bench/results.ts'
import { apiPage } from './docs/api-page.ts'
import { controlReference } from './docs/control-page.ts'
import { clientRulesPage, flagsPage, quirksPage, sentencesOf } from './docs/tables.ts'

const specification = () => readFileSync('docs/specification.md', 'utf8')
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What each file must contain, by its path from the root of the repository. */
export const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(
    variants.map((variant) => [
      `contract/examples/${variant}.json`,
      async () => json(await makeExamples(variant)),
    ]),
  ),
  // Every rule that requirements and the reasons of the mock name.
  'contract/sentences.json': () =>
    json(sentencesOf(specification(), [...Object.keys(mapping), ...allAnchors])),
  'contract-tests/REQUIREMENTS.md': () => requirementsPage(readRules(specification()), catalogue),
  'docs/api.md': apiPage,
  'docs/benchmarks.md': () => pageOf(JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'))),
  'docs/client-rules.md': () => clientRulesPage(demands, scenarios),
  'docs/control-api.md': () => controlReference(controlRoutes),
  'docs/flags.md': () => flagsPage(commandLines),
  'docs/quirks.md': () => quirksPage(quirks),
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

/** Asks every operation once; answers what was sent and what came back. */
async function makeExamples(variant: Variant): Promise<Examples> {
  const mock = createMock({ variant, now })
  mock.clock.freeze(Date.parse(now))
  const { apiKey, sessionCookie } = mock.credentials()
  const ids = new Map<string, string>()
  const examples: Partial<Record<OperationId, { body?: unknown; answer: unknown }>> = {}
  for (const operation of inOrder) {
    const { method, path, auth } = routeOf(operation)
    const body = bodies[operation]
    const headers = auth === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie: sessionCookie }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const url = base + path.replace(':id', ids.get(path.split('/')[3] ?? '') ?? '')
    const response = await mock.fetch(new Request(url, init))
    const answer = await response.json()
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${JSON.stringify(answer)}`)
    remember(ids, operation, answer)
    examples[operation] = { ...(body ? { body } : {}), answer }
  }
  return Object.fromEntries(operationIds.map((id) => [id, examples[id]]))
}

/** What creates comes before what reads it, what deletes comes last. */
const inOrder: OperationId[] = [
  ...operationIds.filter((id) => id.startsWith('create')),
  ...operationIds.filter((id) => !/^(create|delete)/.test(id)),
  'deleteKey',
]

function remember(ids: Map<string, string>, operation: OperationId, answer: unknown): void {
  const { task, item, key, items } = answer as Record<string, { id: string } & { id: string }[]>
  if (operation === 'createTask' && task) ids.set('tasks', task.id)
  if (operation === 'createDocument' && item) ids.set('documents', item.id)
  if (operation === 'createKey' && key) ids.set('keys', key.id)
  if (operation === 'listNotifications' && items?.[0]) ids.set('notifications', items[0].id)
}
