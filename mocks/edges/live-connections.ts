/** The connections that this process keeps to services: msw intercepts only new ones. */

/** The part of a socket that is used here. */
interface Socket {
  once(event: 'close', listener: () => void): unknown
}

/** The client that keeps a connection: `fetch` or `node:http`. */
type Keeper = 'fetch' | 'http'

/** Live sockets by the client that keeps them and their origin: `fetch https://api.example.com`. */
const live = new Map<string, Set<Socket>>()

/** True if msw has created a socket or replaced its methods. */
const isIntercepted = (socket: Socket): boolean =>
  Object.hasOwn(socket, 'connect') || !/^(?:TLS)?Socket$/.test(socket.constructor.name)

function keep(keeper: Keeper, origin: string | undefined, socket: Socket | null | undefined): void {
  if (origin === undefined || !socket || isIntercepted(socket)) return
  const key = `${keeper} ${origin}`
  const sockets = live.get(key) ?? new Set()
  live.set(key, sockets)
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

const originOf = (protocol: string, host: unknown): string | undefined =>
  URL.parse(`${protocol}//${String(host)}`)?.origin

interface Connected {
  readonly connectParams: { readonly protocol: string; readonly host: string }
  readonly socket: Socket
}

interface Answered {
  readonly request: {
    readonly protocol: string
    readonly socket: Socket | null
    getHeader(name: string): unknown
  }
}

// Browsers have neither such channels nor such connections.
const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
channels?.subscribe('undici:client:connected', (message) => {
  const { connectParams, socket } = message as Connected
  keep('fetch', originOf(connectParams.protocol, connectParams.host), socket)
})
channels?.subscribe('http.client.response.finish', (message) => {
  const { request } = message as Answered
  keep('http', originOf(request.protocol, request.getHeader('host')), request.socket)
})

/** True if this process has an open connection to an origin, made by one of the given APIs (`fetch` or `node:http`). */
export const hasConnectionTo = (origin: string, keepers: readonly Keeper[]): boolean =>
  keepers.some((keeper) => (live.get(`${keeper} ${origin}`)?.size ?? 0) > 0)
