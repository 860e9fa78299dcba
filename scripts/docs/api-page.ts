/** The API reference for people, from the contract and its examples. Pure: the same contract gives the same page. */
import { z } from 'zod'
import { errorBody, type FailureName, failures } from '#contract/errors.ts'
import { examples } from '#contract/examples/index.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
import { contractSchemas, type ResourceName, resourceOf, unwrap } from '#fixtures/resources.ts'
import { folded, table } from '#reporting/markup.ts'

const beginning = `# API reference

Every operation of the API with its fields, examples and errors. The [specification](specification.md) has the rules; this page is generated from the contract (\`npm run generate\`). The API has [two variants](specification.md#variants): where their answers differ, both are shown.

- **Addresses** start with the base URL of the service, such as \`http://127.0.0.1:4402\` for the mock.
- **Credential.** *Key*: the header \`Authorization: Bearer <key>\`. *Session*: the cookie of a logged-in browser.
- **Bodies** are JSON objects. An answer may have more fields than this page names.
- **Cost.** An operation that costs a credit reserves one Work Credit when the work is accepted, and returns it if the work fails.
- **Errors.** Every operation may answer with the [errors of all operations](#errors); the others stand beside the operation.
`

/** The page. */
export function apiPage(): string {
  const groups = Map.groupBy(operationIds, (id) => routeOf(id).section.replace(/^§4 /, ''))
  const sections = [...groups].map(
    ([group, ids]) => `## ${group}\n\n${ids.map((id) => sectionOf(id)).join('\n')}`,
  )
  return [beginning, index(), '', ...sections, resourceSections(), errorSection(common)].join('\n')
}

function index(): string {
  const rows = operationIds.map((id) => {
    const { method, path, summary } = routeOf(id)
    return [`[${id}](#${id.toLowerCase()})`, `\`${method} ${path}\``, credentialOf(id), costOf(id), summary]
  })
  return table(['Operation', 'Route', 'Credential', 'Cost', ''], rows)
}

const credentialOf = (id: OperationId) => (routeOf(id).auth === 'key' ? 'key' : 'session')
const costOf = (id: OperationId) => (routeOf(id).cost === 1 ? '1 credit' : 'free')

/** `list-tasks` of `listTasks`. */
const anchorOf = (id: OperationId) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function sectionOf(id: OperationId): string {
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
    query ? `Query, all optional:\n\n${fieldTable(query)}` : '',
    body ? `Body:\n\n${fieldTable(body, 'required')}` : '',
    answersOf(id),
    examplesOf(id),
    errorsOf(id),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** The fields of an answer; of both variants where they differ. */
function answersOf(id: OperationId): string {
  const { first, second } = routeOf(id).answer
  if (first === second) {
    const fields = fieldTable(first)
    return fields ? `Answer:\n\n${fields}` : 'Answer: an object; its fields are open.'
  }
  return variants
    .map((variant) => `Answer, ${labelOf(variant)}:\n\n${fieldTable(routeOf(id).answer[variant])}`)
    .join('\n\n')
}

function examplesOf(id: OperationId): string {
  const { first, second } = { first: examples.first[id], second: examples.second[id] }
  const same = JSON.stringify(first?.answer) === JSON.stringify(second?.answer)
  const answers = same
    ? [folded('Example of an answer', blockOf(first?.answer))]
    : variants.map((variant) =>
        folded(`Example of an answer, ${labelOf(variant)}`, blockOf(examples[variant][id]?.answer)),
      )
  const body = first?.body === undefined ? [] : [folded('Example of a body', blockOf(first.body))]
  return [...body, ...answers].join('\n\n')
}

/** Errors that every operation may answer with. */
const common = (Object.keys(failures) as FailureName[]).filter((name) =>
  operationIds.every((id) => failuresOf(id).includes(name)),
)

/** The errors of an operation that not every operation has. */
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

const isDescribed = (name: string): name is keyof typeof described => Object.hasOwn(described, name)

/** A block of JSON. */
function blockOf(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** How the page names a variant. */
export const labelOf = (variant: Variant) => `${variant} variant`

/** The fields of an object; empty where the contract names none. `required`: mark those that a body must have. */
function fieldTable(schema: z.ZodObject, required?: 'required'): string {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][]
  const rows = fields.map(([name, field]) => {
    const must = required && !(field instanceof z.ZodOptional) ? ', required' : ''
    const optional = !required && field instanceof z.ZodOptional ? ', may be missing' : ''
    return [`\`${name}\``, `${typeOf(field)}${must}${optional}`, noteOf(field)]
  })
  return rows.length === 0 ? '' : table(['Field', 'Type', ''], rows)
}

/** The description of a field, unless its type links to a section that has it. */
function noteOf(schema: z.ZodType): string {
  return (schema.description ?? unwrap(schema).description ?? '').replaceAll('|', '\\|')
}

function typeOf(schema: z.ZodType): string {
  const inner = unwrap(schema)
  const types =
    inner instanceof z.ZodUnion ? inner.options.map((one) => nameOf(one as z.ZodType)) : [nameOf(inner)]
  return [...types, ...(inner === schema || !schema.isNullable() ? [] : ['null'])].join(' or ')
}

function nameOf(schema: z.ZodType): string {
  const resource = resourceOf(schema)
  if (resource && isDescribed(resource)) return `[${resource}](#${resource})`
  if (schema instanceof z.ZodArray) return `list of ${nameOf(schema.element as z.ZodType)}`
  if (schema instanceof z.ZodLiteral) return `\`${schema.value}\``
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'whole number' : 'number'
  if (schema instanceof z.ZodString) return 'text'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodNull) return 'null'
  return schema instanceof z.ZodObject ? 'object' : 'anything'
}

/** A section for each resource whose fields the contract names. */
function resourceSections(): string {
  const sections = Object.entries(described).map(([name, anchor]) => {
    const table = fieldTable(contractSchemas[name as keyof typeof described])
    return `### ${name}\n\n[Rules](specification.md#${anchor})\n\n${table}\n`
  })
  return `## Resources\n\nA service may add fields to each of these.\n\n${sections.join('\n')}`
}

/** The fields of every error. */
const errorFields = () => fieldTable(errorBody)

const { errorAnswer } = createFixtures()

/** `404 not_found`, with a link to the section of the error. */
function errorLink(name: FailureName): string {
  const { status, code } = failures[name]
  return `[${statusOf(status)} \`${code}\`](#error-${name.replaceAll('_', '-')})`
}

/** One status, or that of each variant. */
function statusOf({ first, second }: Readonly<Record<'first' | 'second', number>>): string {
  return first === second ? String(first) : `${first}, second variant ${second}`
}

/** The section. `common`: what every operation may answer with. */
function errorSection(common: readonly FailureName[]): string {
  const names = Object.keys(failures) as FailureName[]
  return `## Errors

Every error has the same body. Branch on \`error\`, and show \`message\` to people.

Every operation may answer with ${common.map(errorLink).join(', ')}.

${errorFields()}

${names.map(errorSectionOf).join('\n')}`
}

function errorSectionOf(name: FailureName): string {
  const { code, meaning } = failures[name]
  const rule = code === 'internal_error' ? 'status-500' : `error-${code.replaceAll('_', '-')}`
  const answers = variants.map((variant) => {
    const { status, headers, body } = errorAnswer(name, { variant })
    const wait = headers['retry-after'] === undefined ? '' : `, Retry-After: ${headers['retry-after']}`
    return { variant, status: `${status}${wait}`, block: blockOf(body) }
  })
  const same = new Set(answers.map(({ status, block }) => status + block)).size === 1
  const examples = answers
    .slice(0, same ? 1 : undefined)
    .map(({ variant, status, block }) =>
      folded(`${status}, ${same ? 'both variants' : labelOf(variant)}`, block),
    )
  return `### Error ${name.replaceAll('_', ' ')}

${meaning} [Rule](specification.md#${rule})

${examples.join('\n\n')}
`
}
