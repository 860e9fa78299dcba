/** Values that several resources share. */
import { z } from 'zod'

/** An identifier: the specification fixes no form, so clients treat it as opaque. */
export const identifier = z.union([z.string().min(1), z.number()])

/** A field that must be present and whose type or inner fields the specification does not show. */
export const present = z.unknown()

/** A point in time in an unspecified format, or null. */
export const timestamp = z.union([z.string(), z.number(), z.null()])

/** A whole number of things, zero or more. */
export const count = z.int().min(0)

/** Work Credits that can be spent now; fractions are allowed (§2 Organization). */
export const credits = z.number()

/** A task status. Only `in_progress` is named by the specification; others are free (§3). */
export const status = z.string().min(1)
