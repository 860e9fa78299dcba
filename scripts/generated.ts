/** Every file that is made from a source, with the function that makes it: `npm run generate` writes them. */
import { readFileSync } from 'node:fs'
import { commandLines } from '#cli/command-lines.ts'
import { demands } from '#client-tests/demands.ts'
import { variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { mapping } from '#contract-tests/traceability/mapping.ts'
import { readRules, requirementsPage } from '#contract-tests/traceability/trace.ts'
import { allAnchors } from '#mocks/control/why.ts'
import { controlRoutes } from '#mocks/edges/admin/index.ts'
import { quirks } from '#mocks/quirks/create.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { apiPage } from './docs/api-page.ts'
import { controlReference } from './docs/control-page.ts'
import { clientRulesPage, flagsPage, quirksPage, sentencesOf } from './docs/tables.ts'
import { makeExamples } from './examples.ts'

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
  'docs/client-rules.md': () => clientRulesPage(demands, scenarios),
  'docs/control-api.md': () => controlReference(controlRoutes),
  'docs/flags.md': () => flagsPage(commandLines),
  'docs/quirks.md': () => quirksPage(quirks),
}
