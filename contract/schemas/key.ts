/** §2 API key. */
import { z } from 'zod'
import { identifier, timestamp } from './values.ts'

export const newKey = z.object({ name: z.string().min(1).describe('Label of the key.') })

/** The answer to key creation: the only one that ever carries the secret (§5.5). */
export const createdKey = z.looseObject({
  key: z
    .union([z.string().min(1), z.looseObject({})])
    .describe('The key, or an object about it; the bearer value is `secret`.'),
  secret: z.string().min(1).describe('The bearer value, shown this once.'),
})

export const key = z.looseObject({
  id: identifier,
  name: z.string().nullable(),
  prefix: z.string().describe('Leading part of the key.'),
  last_used_at: timestamp,
})

export const keyList = z.looseObject({ keys: z.array(key) })
