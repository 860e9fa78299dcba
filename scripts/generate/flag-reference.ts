/** Writes docs/flags.md from the tables of options. */
import { writeFileSync } from 'node:fs'
import { commandLines } from '#cli/command-lines.ts'
import { flagsPage } from '../docs/flags-page.ts'

writeFileSync(new URL('../../docs/flags.md', import.meta.url), flagsPage(commandLines))
