/** Every command, as the page of flags lists them. */
import { checkCommand } from '#cli/check/flags.ts'
import type { CommandLine } from '#cli/flags.ts'
import { mockCommand } from '#cli/mock/flags.ts'
import { openapiCommand } from '#cli/openapi.ts'
import { verifyCommand } from '#cli/verify/flags.ts'

export const commandLines: readonly CommandLine[] = [mockCommand, verifyCommand, checkCommand, openapiCommand]
