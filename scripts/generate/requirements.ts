/** Writes contract-tests/REQUIREMENTS.md from the catalogue and the rules of docs/specification.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { requirementsPage } from '#contract-tests/traceability/page.ts'
import { readRules } from '#contract-tests/traceability/rules.ts'

const rules = readRules(readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8'))
writeFileSync(
  new URL('../../contract-tests/REQUIREMENTS.md', import.meta.url),
  requirementsPage(rules, catalogue),
)
