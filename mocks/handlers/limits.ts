/** Limits on the size of responses. */

/** Maximum number of items in a list; the newest are returned. The specification defines no pagination. */
export const longestList = 10_000
