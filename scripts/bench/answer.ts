/** Reads HTTP answers off a socket: no more of HTTP than the servers of the benchmark speak. */

export interface Answer {
  readonly status: number
  readonly body: string
  /** Bytes that the answer took. */
  readonly length: number
}

/**
 * The first whole answer in `bytes`, or undefined where it has not all come yet.
 * @throws Error where an answer has no Content-Length and is not chunked.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const chunked = readChunks(bytes, start)
    return chunked && { status, ...chunked }
  }
  const announced = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (announced === undefined) throw new Error(`An answer without Content-Length: ${head}`)
  const length = start + Number(announced)
  if (bytes.length < length) return undefined
  return { status, body: bytes.toString('utf8', start, length), length }
}

function readChunks(bytes: Buffer, start: number): { body: string; length: number } | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body, length: next }
    body += bytes.toString('utf8', lineEnd + 2, next - 2)
    at = next
  }
}
