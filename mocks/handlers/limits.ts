/** Bounds that keep any one answer small enough to give. */

/** Items in one list; the newest ones are given. The specification knows no pages. */
export const longestList = 10_000
