/** Writes contract-tests/REQUIREMENTS.md from the catalogue and the sentences of the specification. */
import { writeFileSync } from 'node:fs'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { specification } from '#contract-tests/traceability/index.ts'
import { requirementsPage } from '#contract-tests/traceability/page.ts'

const page = new URL('../../contract-tests/REQUIREMENTS.md', import.meta.url)
writeFileSync(page, requirementsPage(specification, catalogue))
