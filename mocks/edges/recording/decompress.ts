/** Undoes the codings of HTTP bodies. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** A longer text is not judged, bytes. */
const longest = 16_000_000

type Decoder = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Buffer

/** By the names of codings in HTTP; under `deflate` some servers send it without its header. */
const decoders: Readonly<Record<string, readonly Decoder[]>> = {
  br: [brotliDecompressSync],
  deflate: [inflateSync, inflateRawSync],
  gzip: [gunzipSync],
  'x-gzip': [gunzipSync],
  zstd: [zstdDecompressSync],
}

/** The bytes of a body without one content coding, such as gzip; undefined: they are not in it, or too long. */
export function decompress(bytes: Uint8Array, coding: string): Uint8Array | undefined {
  for (const decode of Object.hasOwn(decoders, coding) ? (decoders[coding] ?? []) : []) {
    try {
      return decode(bytes, { maxOutputLength: longest })
    } catch {
      // The bytes are in another coding.
    }
  }
  return undefined
}
