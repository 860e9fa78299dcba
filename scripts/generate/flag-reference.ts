/** Writes docs/flags.md from the tables of flags. */
import { writeFileSync } from 'node:fs'
import { commandLines } from '../docs/command-lines.ts'
import { flagsPage } from '../docs/flags-page.ts'

writeFileSync(new URL('../../docs/flags.md', import.meta.url), flagsPage(commandLines))
