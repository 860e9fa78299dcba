/** Writes docs/api.md from the contract and its examples. */
import { writeFileSync } from 'node:fs'
import { apiPage } from '../docs/api-page.ts'

writeFileSync(new URL('../../docs/api.md', import.meta.url), apiPage())
