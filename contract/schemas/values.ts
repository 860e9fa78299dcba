/** Values that several resources share. */
import { z } from 'zod'

/** An identifier: the specification fixes no form, so clients treat it as opaque. */
export const identifier = z
  .union([z.string().min(1), z.number()])
  .describe('Opaque: compare it as a string, and percent-encode it in a path.')

/** A field that must be present and whose type or inner fields the specification does not show. */
export const present = z.unknown().describe('Present; what it holds is not shown.')

/** A point in time in an unspecified format, or null. */
export const timestamp = z
  .union([z.string(), z.number(), z.null()])
  .describe('A point in time, or null. Its format is not shown.')

/** A whole number of things, zero or more. */
export const count = z.int().min(0)

/** Work Credits that can be spent now; fractions are allowed (§2 Organization). */
export const credits = z.number().describe('Work Credits that can be spent now (§2).')

/** A task status. Only `in_progress` is named by the specification; others are free (§3). */
export const status = z
  .string()
  .min(1)
  .describe(
    'Only `in_progress` is shown (§3). Read `finished` instead of keeping a list of final ones (§3.1).',
  )
