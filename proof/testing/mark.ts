/** The text appended to each message, when tests check that nothing is decided by wording. */
export const rewordedMark = ' (reworded)'
