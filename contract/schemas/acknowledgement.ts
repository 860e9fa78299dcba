/** The answer of routes that only confirm (§4). */
import { z } from 'zod'

export const acknowledgement = z.looseObject({ ok: z.boolean() })
