import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openapiText } from '#cli/openapi/main.ts'
import { createMock } from '#mocks/app.ts'
import { operationIds, routeOf } from '../operation.ts'
import { variants } from '../route.ts'

const views = ['both', ...variants] as const

interface Content {
  readonly content: { 'application/json': { schema: object; examples?: Record<string, { value: unknown }> } }
}
interface Described {
  readonly operationId: string
  readonly 'x-extended'?: true
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: Content
  readonly responses: Record<string, Content>
}

const operationsOf = ({ paths }: { paths: Record<string, Record<string, Described>> }) =>
  Object.values(paths).flatMap((item) => Object.values(item))
const described = (view: (typeof views)[number]) => operationsOf(JSON.parse(openapiText(view)))

/** Applies the recommended rules with their warnings, and checks each example against its schema. */
async function findingsOf(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-unused-components': 'error',
    },
  })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)
}

async function served(options: Parameters<typeof createMock>[0]): Promise<string> {
  const mock = createMock(options)
  return (await mock.fetch(new Request('http://127.0.0.1:4402/openapi.json'))).text()
}

test.each(views)('a linter finds nothing in the document of %s', async (view) => {
  expect(await findingsOf(openapiText(view))).toEqual([])
})

test.each(
  variants,
)('nor in what a mock of the %s variant serves without the extended set', async (variant) => {
  expect(await findingsOf(await served({ variant, extended: false }))).toEqual([])
})

test('the linter reports an example that does not match, and an operation without an id', async () => {
  const broken = openapiText('first')
    .replaceAll('"error": "busy"', '"error": "idle"')
    .replace('"operationId": "whoami",', '')
  const rules = (await findingsOf(broken)).map((finding) => finding.split(':')[0])
  expect(rules).toContain('no-invalid-media-type-examples')
  expect(rules).toContain('operation-operationId')
})

test('every operation is described once, under its own id', () => {
  const ids = described('both').map(({ operationId }) => operationId)
  expect(ids.sort()).toEqual([...operationIds].sort())
})

test('422 is an answer of the second variant and of no first one', () => {
  const statuses = (variant: 'first' | 'second') =>
    new Set(described(variant).flatMap(({ responses }) => Object.keys(responses)))
  expect(statuses('first').has('422')).toBe(false)
  expect(statuses('second').has('422')).toBe(true)
})

test('routes of the extended set are marked, and absent where a mock does not offer them', async () => {
  const marked = described('both').filter((operation) => operation['x-extended'])
  expect(marked.map(({ operationId }) => operationId).sort()).toEqual(
    operationIds.filter((id) => routeOf(id).set === 'extended').sort(),
  )
  const offered = operationsOf(JSON.parse(await served({ extended: false })))
  expect(offered).toHaveLength(operationIds.length - marked.length)
  expect(offered.filter((operation) => operation['x-extended'])).toEqual([])
})

test.each(views)('every body and every answer of %s has a named schema and an example', (view) => {
  for (const { operationId, requestBody, responses } of described(view)) {
    for (const { content } of [requestBody, responses[200]].filter((part) => part !== undefined)) {
      const { schema, examples: shown = {} } = content['application/json']
      expect(schema, operationId).toHaveProperty('$ref')
      expect(Object.keys(shown), operationId).not.toEqual([])
    }
  }
})

test.each(views)('no schema of %s lists types, unless the second is null', (view) => {
  const lists: unknown[] = []
  JSON.parse(openapiText(view), (key, value) => {
    if (key === 'type' && Array.isArray(value)) lists.push(value)
    return value
  })
  expect(lists).not.toEqual([])
  expect(lists.filter((types) => !/^\["\w+","null"\]$/.test(JSON.stringify(types)))).toEqual([])
})

test.each(views)('every error response of %s has an example for each way to fail', (view) => {
  const { components } = JSON.parse(openapiText(view))
  for (const [name, { content }] of Object.entries<Content>(components.responses)) {
    expect(Object.keys(content['application/json'].examples ?? {}), name).toHaveLength(
      name.split(/Or(?=[A-Z])/).length,
    )
  }
})

test.each(views)('tools that read the document of %s find what they need', (view) => {
  const document = JSON.parse(openapiText(view))
  // The schema of swagger-parser refuses a description there; some generators have this class themselves.
  expect(document.servers[0].variables.base_url).toEqual({ default: 'http://127.0.0.1:4402' })
  expect(Object.keys(document.components.schemas)).not.toContain('ApiError')
  const inPaths = operationsOf(document).flatMap(({ parameters = [] }) =>
    parameters.filter((one) => one.in === 'path'),
  )
  expect(inPaths.map(({ example }) => String(example).split('_')[0])).toEqual([
    ...['key', 'task', 'task', 'document', 'notification'],
  ])
})

test('a document may name one server, as that of a mock does', async () => {
  const serversIn = (text: string) => JSON.parse(text).servers.map(({ url }: { url: string }) => url)
  expect(serversIn(openapiText('first', 'https://staging.example/'))).toEqual(['https://staging.example'])
  expect(serversIn(await served({}))).toEqual(['http://127.0.0.1:4402'])
})
