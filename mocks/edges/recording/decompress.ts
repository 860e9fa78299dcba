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

/** Undoes one content coding of a body, such as gzip; undefined: the coding is unknown, the bytes are not in it, or the result is too long. */
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
