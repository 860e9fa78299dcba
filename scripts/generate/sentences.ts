/** Writes the rules of docs/specification.md by anchor: those that answers lead to, and those that requirements come from. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mapping } from '#contract-tests/traceability/mapping.ts'
import { allAnchors } from '#mocks/control/why/anchors.ts'
import { sentencesOf } from '../docs/sentences.ts'

const page = readFileSync('docs/specification.md', 'utf8')
const files = {
  'mocks/control/why/sentences.json': allAnchors,
  'contract-tests/traceability/sentences.json': Object.keys(mapping),
}
for (const [file, anchors] of Object.entries(files))
  writeFileSync(file, `${JSON.stringify(sentencesOf(page, anchors), null, 2)}\n`)
