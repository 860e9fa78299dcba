/** The response of routes that only acknowledge (§4). */
import { z } from 'zod'

/** Body of a success without further data (§4). */
export const acknowledgement = z.looseObject({ ok: z.boolean() })
