/** The handlers in msw 2, with both of its module formats. */
import { createRequire } from 'node:module'
import { http } from 'msw-2'
import { setupServer } from 'msw-2/node'
import { mswFacts } from '../testing/msw-facts.ts'

mswFacts('msw 2', { http, setupServer })

// `mock.handlers()` loads msw with `require`, which is the other copy.
const required: typeof import('msw-2') = createRequire(import.meta.url)('msw-2')
mswFacts('msw 2, handlers of the required copy', { http: required.http, setupServer })
