/** Undoes the codings of HTTP bodies. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** Maximum length of a decompressed body, bytes; a longer one is not judged. */
const longest = 16_000_000

type Decoder = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Buffer

/** Decoders by the HTTP names of codings; some servers send `deflate` without its header. */
const decoders: Readonly<Record<string, readonly Decoder[]>> = {
  br: [brotliDecompressSync],
  deflate: [inflateSync, inflateRawSync],
  gzip: [gunzipSync],
  'x-gzip': [gunzipSync],
  zstd: [zstdDecompressSync],
}

/**
 * Undoes one content coding of a body, such as gzip; undefined: the coding is unknown, the bytes have another one, or
 * the result is too long.
 */
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
