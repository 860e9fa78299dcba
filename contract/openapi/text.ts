/** The text that describes the API as a whole in the OpenAPI document. */
import type { Variant } from '../route.ts'

/** The description of the document, in Markdown. */
export function openapiDescription(variant: Variant | 'both', extended: boolean): string {
  return [
    'Runs work for an organization: tasks are created, runs of them started, and read until they are finished. § marks a section of the specification; what it leaves open is "not shown".',
    variant === 'both'
      ? '- **Variants**: where the two descriptions of the API differ, both are allowed: an answer is either shape, or has the fields of both.'
      : `- **Variant**: where the two descriptions of the API differ, this is the ${variant}.`,
    extended
      ? '- **Extended routes**, marked `x-extended`, are listed in the extended route set only and may be absent (404).'
      : '- **Extended routes** are not offered here.',
    '- **Organization**: it follows from the key or the session; no identifier is sent (§5.2).',
    '- **Cost**: `x-cost` is the number of Work Credits that one accepted request reserves. A failed run gives it back (§3.2). On 402 stop and do not retry (§7.1).',
    '- **Runs**: poll `getTask` and read `finished` (§3.1). On 409 `busy` the run is accepted and starts right after (§3.3): do not send it again.',
    '- **Errors**: branch on `error`, never on `message` (§7). On 429 wait as long as `Retry-After` says, on 503 retry shortly (§7.2, §7.3).',
    '- **Unknown fields** may be in any answer and are to be ignored.',
  ].join('\n')
}
