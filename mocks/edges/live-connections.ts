/** The connections that this process keeps to services: msw intercepts new ones only, and not these. */

/** A socket, as far as it is looked at. */
interface Socket {
  once(event: 'close', listener: () => void): unknown
}

/** Client that keeps a connection. */
type Keeper = 'fetch' | 'http'

/** Live sockets by what keeps them and where they lead: `fetch https://api.example.com`. */
const live = new Map<string, Set<Socket>>()

/** True if msw has made a socket, or replaced what it does. */
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

// Browsers have no such channels, and keep no such connections.
const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
channels?.subscribe('undici:client:connected', (message) => {
  const { connectParams, socket } = message as Connected
  keep('fetch', originOf(connectParams.protocol, connectParams.host), socket)
})
channels?.subscribe('http.client.response.finish', (message) => {
  const { request } = message as Answered
  keep('http', originOf(request.protocol, request.getHeader('host')), request.socket)
})

/** True if this process has an open connection to an origin, of the given kinds. */
export const hasConnectionTo = (origin: string, keepers: readonly Keeper[]): boolean =>
  keepers.some((keeper) => (live.get(`${keeper} ${origin}`)?.size ?? 0) > 0)
