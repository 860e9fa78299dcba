/** Archives for tests. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive, as bytes, of files with the given contents. */
export function zipArchiveOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, plain] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(plain)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(plain), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(plain.length, 18)
    about.writeUInt16LE(name.length, 22)
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, name, packed])
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), about, end.subarray(0, 14), name]))
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(list.length, 4)
  end.writeUInt16LE(list.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006'), end])
}
