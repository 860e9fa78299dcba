/** The command that tests start: bundled, as it is published (scripts/package/command-for-tests.ts). */
import { dirname } from 'node:path'
import { inject } from 'vitest'

export const builtCommand = inject('command')

/** A folder that is removed after the tests. */
export const folderOfRun = dirname(builtCommand)
