/** The access of the suite to a service: a transport and a clock. */

/** A request as the suite hands it to a transport. */
export interface OutgoingRequest {
  readonly method: string
  /** Header fields by name. An empty `content-length` means that a request without a body has no such header. */
  readonly headers: Readonly<Record<string, string>>
  /** Text of the body, in which each of U+DC80 to U+DCFF stands for one byte from 80 to FF. */
  readonly body?: string
  readonly signal?: AbortSignal
  /** True if the request needs a new connection, so that a closing one does not lose the answer to a paid request. */
  readonly fresh?: boolean
  /** Promise that must settle before the second half of the body is sent. */
  readonly secondHalf?: Promise<unknown> | undefined
}

/** A stream of the bytes of a body in two halves; it sends the second once `secondHalf` has settled. */
export function streamInHalves(bytes: Uint8Array, secondHalf: Promise<unknown>): ReadableStream<Uint8Array> {
  const middle = bytes.length >> 1
  return new ReadableStream<Uint8Array>({
    async start(stream) {
      stream.enqueue(bytes.subarray(0, middle))
      await secondHalf.catch(() => undefined)
      stream.enqueue(bytes.subarray(middle))
      stream.close()
    },
  })
}

/** A function that sends one request and returns the response; rejects if there is none. */
export type Transport = (url: string, outgoing: OutgoingRequest) => Promise<Response>

/** A service under test: its base URL, how requests reach it, and its clock. */
export interface Target {
  readonly baseUrl: string
  readonly transport: Transport
  /** Waits that many ms on the clock of the service, or until the signal aborts. Does not reject. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** ms on the clock that `sleep` uses. */
  now(): number
  close(): Promise<void>
}
