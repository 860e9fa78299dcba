/** Formats in which a recording may be packed, by the bytes that a file begins with. Pure. */

const packings = {
  gzip: [0x1f, 0x8b],
  zip: [0x50, 0x4b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  bzip2: [0x42, 0x5a, 0x68],
} as const

/** The name of a format in which a file may be packed. */
export type Packing = keyof typeof packings

/** The format in which a file is packed, by its first bytes, of which 5 suffice; undefined for a plain file. */
export const packingOf = (first: Uint8Array): Packing | undefined =>
  (Object.keys(packings) as Packing[]).find((name) => packings[name].every((byte, i) => first[i] === byte))
