/** The command that tests start: bundled, as it is published (scripts/package/dist-for-tests.ts). */
import { join } from 'node:path'
import { inject } from 'vitest'

/** A folder that is removed after the tests. */
export const folderOfRun = inject('built')

export const builtCommand = join(folderOfRun, 'dist/cli/cli.js')
