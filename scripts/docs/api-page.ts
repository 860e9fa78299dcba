/** The API reference for people, from the contract and its examples. Pure: the same contract gives the same page. */
import type { z } from 'zod'
import { errorBody, type FailureName, failures } from '#contract/errors.ts'
import { type JsonSchema, toJsonSchema } from '#contract/openapi/builder.ts'
import type { Examples } from '#contract/openapi/document.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
import { contractSchemas, type ResourceName } from '#fixtures/resources.ts'
import { renderCollapsibleBlock, renderMarkdownTable } from '#reporting/markup.ts'
import { fieldTable } from './tables.ts'

const beginning = `# API reference

Every operation of the API with its fields, examples and errors. The [specification](specification.md) has the rules; this page is generated from the contract (\`npm run generate\`). The API has [two variants](specification.md#variants): where their answers differ, both are shown.

- **Addresses** start with the base URL of the service, such as \`http://127.0.0.1:4402\` for the mock.
- **Credential.** *Key*: the header \`Authorization: Bearer <key>\`. *Session*: the cookie of a logged-in browser.
- **Bodies** are JSON objects. An answer may have more fields than this page names.
- **Cost.** An operation that costs a credit reserves one Work Credit when the work is accepted, and returns it if the work fails.
- **Errors.** Every operation may answer with the [errors of all operations](#errors); the others stand beside the operation.
`

/** Golden exchanges by variant. */
type ExamplesByVariant = Readonly<Record<Variant, Examples>>

/** Renders `docs/api.md`, the API reference. */
export function apiPage(examples: ExamplesByVariant): string {
  const groups = Map.groupBy(operationIds, (id) => routeOf(id).section.replace(/^§4 /, ''))
  const sections = [...groups].map(
    ([group, ids]) => `## ${group}\n\n${ids.map((id) => sectionOf(id, examples)).join('\n')}`,
  )
  return [beginning, index(), '', ...sections, resourceSections(), errorSection()].join('\n')
}

function index(): string {
  const rows = operationIds.map((id) => {
    const { method, path, summary } = routeOf(id)
    return [`[${id}](#${id.toLowerCase()})`, `\`${method} ${path}\``, credentialOf(id), costOf(id), summary]
  })
  return renderMarkdownTable(['Operation', 'Route', 'Credential', 'Cost', ''], rows)
}

const credentialOf = (id: OperationId) => (routeOf(id).auth === 'key' ? 'key' : 'session')
const costOf = (id: OperationId) => (routeOf(id).cost === 1 ? '1 credit' : 'free')

/** `list-tasks` of `listTasks`. */
const anchorOf = (id: OperationId) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function sectionOf(id: OperationId, examples: ExamplesByVariant): string {
  const { method, path, set, summary, body, query } = routeOf(id)
  const facts = [
    `\`${method} ${path}\``,
    `credential: ${credentialOf(id)}`,
    `cost: ${costOf(id)}`,
    ...(set === 'extended' ? ['extended set: a service may lack it'] : []),
    `[rule](specification.md#${anchorOf(id)})`,
  ]
  const inPath = path.includes(':id') ? '`id` in the path is the id of the resource, percent-encoded.' : ''
  const parts = [
    `### ${id}`,
    summary,
    facts.join(' · '),
    inPath,
    query ? `Query, all optional:\n\n${fieldsOf(query)}` : '',
    body ? `Body:\n\n${fieldsOf(body, { required: ', required' })}` : '',
    answersOf(id),
    examplesOf(id, examples),
    errorsOf(id),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/**
 * Shows a text for each variant, with an addition to its title; only once, without it, if both variants have the same.
 */
function ofVariants(textOf: (variant: Variant) => string, show: (text: string, more: string) => string) {
  const [first = '', ...others] = variants.map(textOf)
  if (others.every((text) => text === first)) return show(first, '')
  return variants.map((variant) => show(textOf(variant), `, ${variant} variant`)).join('\n\n')
}

function answersOf(id: OperationId): string {
  return ofVariants(
    (variant) => fieldsOf(routeOf(id).answer[variant], { optional: ', may be missing' }),
    (fields, more) => (fields ? `Answer${more}:\n\n${fields}` : 'Answer: an object; its fields are open.'),
  )
}

function examplesOf(id: OperationId, examples: ExamplesByVariant): string {
  const body = examples.first[id]?.body
  const answers = ofVariants(
    (variant) => blockOf(examples[variant][id]?.answer),
    (block, more) => renderCollapsibleBlock(`Example of an answer${more}`, block),
  )
  return [
    ...(body === undefined ? [] : [renderCollapsibleBlock('Example of a body', blockOf(body))]),
    answers,
  ].join('\n\n')
}

/** Errors that every operation may answer with. */
const common = (Object.keys(failures) as FailureName[]).filter((name) =>
  operationIds.every((id) => failuresOf(id).includes(name)),
)

/** The errors of an operation, without those that all operations have. */
function errorsOf(id: OperationId): string {
  const own = failuresOf(id).filter((name) => !common.includes(name))
  return own.length === 0 ? '' : `Errors of its own: ${own.map(errorLink).join(', ')}.`
}

/** Resources whose fields the contract names, with the place in the specification that describes them. */
const described = {
  organization: 'the-organization',
  key: 'api-keys',
  task: 'tasks',
  document: 'documents',
  notification: 'notifications',
  prospect: 'resources-of-the-extended-set',
} as const satisfies Partial<Record<ResourceName, string>>

const blockOf = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** The fields of an object; empty where the contract names none. */
const fieldsOf = (schema: z.ZodType, marks?: Parameters<typeof fieldTable>[2]) =>
  fieldTable(['Field', 'Type', ''], schema, { ...marks, linked })

/** The resources by their fields. */
const names = new Map(
  Object.keys(described).map((name) => {
    const { properties } = toJsonSchema(contractSchemas[name as keyof typeof described])
    return [JSON.stringify(properties), `[${name}](#${name})`]
  }),
)

/** A link to the section of a resource; undefined: the object has none. */
const linked = ({ properties }: JsonSchema) => names.get(JSON.stringify(properties))

/** A section for each resource whose fields the contract names. */
function resourceSections(): string {
  const sections = Object.entries(described).map(([name, anchor]) => {
    const table = fieldsOf(contractSchemas[name as keyof typeof described], { optional: ', may be missing' })
    return `### ${name}\n\n[Rules](specification.md#${anchor})\n\n${table}\n`
  })
  return `## Resources\n\nA service may add fields to each of these.\n\n${sections.join('\n')}`
}

const { errorAnswer } = createFixtures()

/** `404 not_found`, with a link to the section of the error. */
function errorLink(name: FailureName): string {
  const { status, code } = failures[name]
  const { first, second } = status
  const statuses = first === second ? first : `${first}, second variant ${second}`
  return `[${statuses} \`${code}\`](#error-${name.replaceAll('_', '-')})`
}

function errorSection(): string {
  const names = Object.keys(failures) as FailureName[]
  return `## Errors

Every error has the same body. Branch on \`error\`, and show \`message\` to people.

Every operation may answer with ${common.map(errorLink).join(', ')}.

${fieldsOf(errorBody)}

${names.map(errorSectionOf).join('\n')}`
}

function errorSectionOf(name: FailureName): string {
  const { code, meaning } = failures[name]
  const rule = code === 'internal_error' ? 'status-500' : `error-${code.replaceAll('_', '-')}`
  const examples = ofVariants(
    (variant) => {
      const { status, headers, body } = errorAnswer(name, { variant })
      const wait = headers['retry-after'] === undefined ? '' : `, Retry-After: ${headers['retry-after']}`
      return `${status}${wait}\n${blockOf(body)}`
    },
    (text, more) => {
      const [status = '', ...block] = text.split('\n')
      return renderCollapsibleBlock(`${status}${more || ', both variants'}`, block.join('\n'))
    },
  )
  return `### Error ${name.replaceAll('_', ' ')}

${meaning} [Rule](specification.md#${rule})

${examples}
`
}
