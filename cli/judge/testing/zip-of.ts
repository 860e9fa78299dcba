/** A zip archive as tools write it: every second file deflated, sizes in the list at the end only. */
import { deflateRawSync } from 'node:zlib'

/** `files`: contents by names. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [i, [name, text]] of Object.entries(files).entries()) {
    const isDeflated = i % 2 === 0
    const content = isDeflated ? deflateRawSync(text) : Buffer.from(text)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(isDeflated ? 8 : 0, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(head, Buffer.from(name), content)
    list.push(entry, Buffer.from(name))
    offset += head.length + name.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...list, end])
}

interface Entry {
  readonly request: { readonly postData?: { readonly text?: string } }
  readonly response: { readonly content?: { readonly text?: string } }
}

/** An archive of a recording as test tools pack it: with the bodies beside the HAR. */
export function archiveOf(entries: readonly object[]): Buffer {
  const files: Record<string, string> = {}
  const outside = (entries as readonly Entry[]).map(({ request, response, ...entry }, i) => {
    const { postData } = request
    files[`traces/${i}.json`] = response.content?.text ?? ''
    if (postData) files[`traces/${i}.sent.json`] = postData.text ?? ''
    return {
      ...entry,
      request: {
        ...request,
        ...(postData && { postData: { text: '', params: [], _file: `${i}.sent.json` } }),
      },
      response: { ...response, content: { size: -1, _file: `${i}.json` } },
    }
  })
  return zipOf({ ...files, 'traces/run.har': JSON.stringify({ log: { entries: outside } }) })
}
