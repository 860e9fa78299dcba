/** How requests leave the suite. A target supplies this and its sense of time; nothing else is known of it. */

/** What the suite sends. */
export interface Outgoing {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
  /** Sent on a connection of its own: an answer that is paid for must not be lost to one that is closing. */
  readonly fresh?: boolean
}

/** Sends one request and answers the response; rejects where there is none. */
export type Transport = (url: string, outgoing: Outgoing) => Promise<Response>

/** A service that can be judged. */
export interface Target {
  readonly baseUrl: string
  readonly transport: Transport
  /** Lets that much of the service's time pass, ms; less where the signal is aborted. Does not reject. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** ms on the clock by which `sleep` counts. */
  now(): number
  close(): Promise<void>
}
