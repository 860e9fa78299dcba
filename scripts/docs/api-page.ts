/** The API reference for people, from the contract and its examples. Pure: the same contract gives the same page. */

import { type FailureName, failures } from '#contract/errors.ts'
import { examples } from '#contract/examples/index.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { folded, table } from '#reporting/markdown.ts'
import { errorLink, errorSection } from './api-errors.ts'
import { blockOf, fieldTable, labelOf, resourceSections } from './api-fields.ts'

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
  if (first === second) return fieldTable(first) && `Answer:\n\n${fieldTable(first)}`
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
