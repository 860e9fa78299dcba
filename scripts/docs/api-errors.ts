/** The errors of the API reference: each row of the error table with the answers of both variants. */
import { type FailureName, failures } from '#contract/errors.ts'
import { variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
import { folded } from '#reporting/markdown.ts'
import { blockOf, errorFields, labelOf } from './api-fields.ts'

const { errorAnswer } = createFixtures()

/** `404 not_found`, with a link to the section of the error. */
export function errorLink(name: FailureName): string {
  const { status, code } = failures[name]
  return `[${statusOf(status)} \`${code}\`](#error-${name.replaceAll('_', '-')})`
}

/** One status, or that of each variant. */
function statusOf({ first, second }: Readonly<Record<'first' | 'second', number>>): string {
  return first === second ? String(first) : `${first}, second variant ${second}`
}

/** The section. `common`: what every operation may answer with. */
export function errorSection(common: readonly FailureName[]): string {
  const names = Object.keys(failures) as FailureName[]
  return `## Errors

Every error has the same body. Branch on \`error\`, and show \`message\` to people.

Every operation may answer with ${common.map(errorLink).join(', ')}.

${errorFields()}

${names.map(sectionOf).join('\n')}`
}

function sectionOf(name: FailureName): string {
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
