/** The command that tests start: bundled, as it is published (scripts/package/command-for-tests.ts). */
import { inject } from 'vitest'

export const builtCommand = inject('command')
