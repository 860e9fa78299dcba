/** Schemas of values that several resources share. */
import { z } from 'zod'

/** An identifier. The specification fixes no format, so clients treat it as opaque. */
export const identifier = z
  .union([z.string().min(1), z.number()])
  .describe('Opaque. Compare it as a string, and percent-encode it in paths.')

/** An identifier that may be missing: null or an empty text then (§2). */
export const emptyOrIdentifier = z
  .union([z.string(), z.number()])
  .nullable()
  .describe('An opaque identifier; null or an empty text: none.')

/** A field that must be present; the specification does not show its type or inner fields. */
export const present = z.unknown().describe('Present; its content is unspecified.')

/** A timestamp in an unspecified format, or null. */
export const timestamp = z
  .union([z.string(), z.number(), z.null()])
  .describe('A timestamp, or null. Its format is unspecified.')

/** A non-negative integer. */
export const count = z.int().min(0)

/** Work Credits that can be spent now; fractions are allowed (§2 Organization). */
export const credits = z.number().describe('Work Credits that can be spent now (§2).')

/** A task status. The specification names only `in_progress`; others are free (§3). */
export const status = z
  .string()
  .min(1)
  .describe(
    'The specification names only `in_progress` (§3). Read `finished` instead of keeping a list of final statuses (§3.1).',
  )
