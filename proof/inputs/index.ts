/** Inputs that do not work. `verify` must end with exit code 4 and one line that names the input and what came. */
import type { BadInput } from './bad-input.ts'
import { baseUrl } from './base-url.ts'
import { credentials } from './credentials.ts'
import { statesUrl } from './states-url.ts'

export const badInputs: readonly BadInput[] = [...baseUrl, ...credentials, ...statesUrl]
