/** Applies connection faults to connections of Node's HTTP server. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { WireFault } from '../faults/wire.ts'

/** Stale connections: they seem open, but the next request on one is reset. */
const stale = new WeakSet<Socket>()

/** Resets a stale connection; returns whether it was stale. */
export function resetIfStale(socket: Socket): boolean {
  if (!stale.has(socket)) return false
  socket.resetAndDestroy()
  return true
}

/** Sends a response as a connection fault requires, or sends nothing. */
export async function sendFaulty(
  response: Response,
  { wire, ms }: WireFault,
  outgoing: ServerResponse,
): Promise<void> {
  const socket = outgoing.socket
  if (!socket) return
  if (wire === 'reset') return void socket.resetAndDestroy()
  if (wire === 'empty') return void socket.destroy()
  if (wire === 'hang') return
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': body.length,
  })
  if (wire === 'truncate')
    return void outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroy())
  if (wire === 'stale') stale.add(socket)
  if (wire === 'dribble') await dribble(body, ms, outgoing)
  outgoing.end(wire === 'dribble' ? undefined : body)
}

/** Number of parts that a dribbled body is sent in. */
const pieces = 10

async function dribble(body: Buffer, ms: number, outgoing: ServerResponse): Promise<void> {
  const size = Math.max(1, Math.ceil(body.length / pieces))
  for (let at = 0; at < body.length && !outgoing.destroyed; at += size) {
    outgoing.write(body.subarray(at, at + size))
    await new Promise((resolve) => setTimeout(resolve, ms / pieces))
  }
}
