/** The seeds that the proof draws combinations of variations from. */
export const seeds: readonly string[] = Array.from({ length: 150 }, (_, i) => String(i))
