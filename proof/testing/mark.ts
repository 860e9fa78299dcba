/** A text that is appended to each message by tests which check that no verdict depends on the wording. */
export const rewordedMark = ' (reworded)'
