/** Writes mocks/control/why/sentences.json: the rules of docs/specification.md that answers lead to, by anchor. */
import { readFileSync, writeFileSync } from 'node:fs'
import { allAnchors } from '#mocks/control/why/anchors.ts'
import { sentencesOf } from '../docs/sentences.ts'

const page = readFileSync('docs/specification.md', 'utf8')
const file = 'mocks/control/why/sentences.json'
writeFileSync(file, `${JSON.stringify(sentencesOf(page, allAnchors), null, 2)}\n`)
