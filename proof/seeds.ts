/** The seeds by which the proof draws combinations of variations. */
export const seeds: readonly string[] = Array.from({ length: 100 }, (_, i) => String(i))
