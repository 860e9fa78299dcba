/** A relay in front of a mock that a test can cut, as a network does. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Relays a free port to a URL until the test ends. */
export async function relayTo(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let whole = true
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    if (whole) client.pipe(server).pipe(client)
    else end()
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const cut = () => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    relay.close()
  })
  const mend = () => {
    whole = true
  }
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, cut, mend }
}
