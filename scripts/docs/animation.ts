/** Joins PNG pictures of one size into an animated PNG, which browsers play like any picture. */
import { crc32 } from 'node:zlib'

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns the chunks of a PNG. */
function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))])
}

/** Numbers as four bytes each. */
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, 4 * place)
  return bytes
}

/** Returns the animation; it repeats for ever, and shows each picture for so many ms. */
export function animate(pictures: readonly Buffer[], ms: number): Buffer {
  const [header] = pictures[0] ? chunksOf(pictures[0]) : []
  if (!header) throw new Error('An animation needs a picture.')
  let sequence = 0
  const frames = pictures.flatMap((png, place) => {
    const delay = Buffer.alloc(6)
    delay.writeUInt16BE(ms, 0)
    delay.writeUInt16BE(1_000, 2)
    const control = Buffer.concat([numbers(sequence++), header.data.subarray(0, 8), numbers(0, 0), delay])
    const data = chunksOf(png).filter(({ type }) => type === 'IDAT')
    const parts = data.map((one) =>
      place === 0 ? one : { type: 'fdAT', data: Buffer.concat([numbers(sequence++), one.data]) },
    )
    return [{ type: 'fcTL', data: control }, ...parts]
  })
  const animation = { type: 'acTL', data: numbers(pictures.length, 0) }
  const end = { type: 'IEND', data: Buffer.alloc(0) }
  return Buffer.concat([signature, ...[header, animation, ...frames, end].map(written)])
}
