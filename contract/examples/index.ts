/** Golden exchanges: for each operation what was asked and answered, in both variants. Made by `npm run examples`. */
import type { Examples } from '#contract/openapi/operation.ts'
import type { Variant } from '#contract/route.ts'
import first from './first.json' with { type: 'json' }
import second from './second.json' with { type: 'json' }

export const examples: Readonly<Record<Variant, Examples>> = { first, second }
