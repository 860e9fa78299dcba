/** What a text of three words or more ends with once it is reworded. */
export const mark = ' (reworded)'
