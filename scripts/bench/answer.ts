/** Reads HTTP answers off a socket: no more of HTTP than the servers of the benchmark speak. */

export interface Answer {
  readonly status: number
  readonly body: string
  /** Bytes that the answer took. */
  readonly length: number
}

/**
 * The first whole answer in `bytes`, or undefined where it has not all come yet.
 * @throws Error where an answer has no Content-Length.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const announced = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (announced === undefined) throw new Error(`An answer without Content-Length: ${head}`)
  const start = headEnd + 4
  const length = start + Number(announced)
  if (bytes.length < length) return undefined
  return { status: Number(head.slice(9, 12)), body: bytes.toString('utf8', start, length), length }
}
