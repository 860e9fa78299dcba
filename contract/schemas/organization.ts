/** §2 Organization. */
import { z } from 'zod'
import { credits, identifier } from './values.ts'

export const whoami = z.looseObject({
  org: z.looseObject({ id: identifier, name: z.string().nullable() }),
  plan: z.union([z.string(), z.looseObject({})]),
  credits,
})
