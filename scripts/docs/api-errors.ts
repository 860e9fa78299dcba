/** The errors of the API reference: each row of the error table with the answers of both variants. */
import { type FailureName, failures } from '#contract/errors.ts'
import { variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
import { blockOf, details, errorFields, labelOf } from './api-fields.ts'

const { errorAnswer } = createFixtures()

/** The section. */
export function errorSection(): string {
  const names = Object.keys(failures) as FailureName[]
  return `## Errors

Every error has the same body. Branch on \`error\`, and show \`message\` to people.

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
      details(`${status}, ${same ? 'both variants' : labelOf(variant)}`, block),
    )
  return `### Error ${name.replaceAll('_', ' ')}

${meaning} [Rule](specification.md#${rule})

${examples.join('\n\n')}
`
}
