/** §2 API key. */
import { z } from 'zod'
import { identifier, timestamp } from './values.ts'

/** Body of createKey (§4 Identity and keys). */
export const newKey = z.object({ name: z.string().min(1).describe('Label of the key.') })

/** Response of createKey: the only response that contains the secret (§5.5). */
export const createdKey = z.looseObject({
  key: z
    .union([z.string().min(1), z.looseObject({})])
    .describe('The key, or an object that describes it; the bearer value is `secret`.'),
  secret: z.string().min(1).describe('The bearer value. No other response contains it.'),
})

/** An API key as lists show it, without its secret. */
export const key = z.looseObject({
  id: identifier,
  name: z.string().nullable(),
  prefix: z.string().describe('Leading part of the key.'),
  last_used_at: timestamp,
})

/** Response of listKeys. */
export const keyList = z.looseObject({ keys: z.array(key) })
