/** §2 Organization. */
import { z } from 'zod'
import { credits, identifier } from './values.ts'

/** An organization (§2). */
export const organization = z.looseObject({ id: identifier, name: z.string().nullable() })

/** Response of whoami. */
export const whoami = z.looseObject({
  org: organization,
  plan: z.union([z.string(), z.looseObject({})]).describe('The current plan: its name or an object.'),
  credits,
})
