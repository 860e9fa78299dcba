/** Draws connections of hostile clients: requests from a grammar, most of them broken in some way. */
import { routes } from '#contract/routes/index.ts'
import { createRandom } from '#mocks/core/random.ts'
import { controlRoutes } from '#mocks/edges/admin/index.ts'

/** What a hostile client does on one connection. */
interface HostileConnection {
  /** Sent one after another, with a moment between. */
  readonly pieces: readonly Buffer[]
  /** Requests that were drawn; broken ones may be read as more or fewer. */
  readonly requests: number
  /** How it ends: with a FIN at once, after some time for answers, or with a reset in the middle. */
  readonly ending: 'at once' | 'later' | 'reset'
  /** Whether nothing is read before the end. */
  readonly isDeaf: boolean
}

const ids = ['1', 'task_000000', '%00', '%ff%fe', '..%2f..%2f', '%E2%80%AE', '__proto__', 'é', '%', 'a b']
const queries = [
  '',
  '',
  '',
  '?limit=-1',
  '?org_id=1',
  '?%',
  '?a=1&a=2',
  '?token=x',
  `?q=${'x'.repeat(5_000)}`,
]
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get', '']
const targets = ['/__admin/../api/cli/tasks', ...'* / // /api/cli /api/cli/%74asks tasks \\ /#x'.split(' ')]
const hosts = ['127.0.0.1', '127.0.0.1', 'localhost:1', '', ' ', 'a b', '[::1]', '[', 'évil', 'x'.repeat(300)]
const keys = [
  '',
  'é',
  ...'ada bob x.credits=0 y.busy=5'.split(' ').map((name) => `wak_test_${name}`),
  'wak_live_z',
]
const headers = [
  'Prefer: code=503',
  'Prefer: fault=malformed',
  'Accept-Encoding: gzip, deflate, br;q=2',
  'Content-Encoding: gzip',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: multipart/form-data',
  'Cookie: sid=; sid=1; =; ;;',
  'Expect: 100-continue',
  'Expect: more',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'If-None-Match: *',
  'Range: bytes=0-0,-1',
  'Idempotency-Key: \u00ff',
  'Last-Event-ID: 99999999999999999999',
  'Origin: null',
  'Sec-Fetch-Site: cross-site',
  `X-Long: ${'x'.repeat(20_000)}`,
]
/** Those after which a connection mostly ends. */
const lastHeaders = [
  'Prefer: fault=reset',
  'Prefer: fault=truncate',
  'Prefer: fault=hang',
  'Prefer: fault=stale, fault=',
  'Accept: */*;q=\u0000',
  'Connection: close',
  'Connection: keep-alive, upgrade',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked',
  'Content-Length: 18446744073709551616',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Host: other.test',
  'Authorization: Basic OjpAOjo=',
  ' folded: yes',
  'no colon',
  ': no name',
]
const bodies = [
  '{}',
  '{"text":"Say hello"}',
  '{"text":"[[mock:fail]] [[mock:"}',
  '{"text":1e999,"__proto__":{"x":1}}',
  '{"title":"\\ud800","content_md":"\\u0000"}',
  '{"rule":"whoami=hang"}',
  '{"amount":1e308,"set":-1,"advance":"9e9s","now":"+275760-09-13"}',
  '{"name":"ada","state":{"organizations":[]}}',
  '[]',
  '"',
  '\ufeff{"text":"BOM"}',
  '['.repeat(20_000),
  `{"text":"${'x'.repeat(70_000)}"}`,
  `{${Array.from({ length: 500 }, (_, i) => `"k${i}":${i}`).join()}}`,
]
const known: readonly { readonly method: string; readonly path: string }[] = [
  ...Object.values(routes),
  ...controlRoutes.map(({ method, path }) => ({ method, path: `/__admin${path}` })),
]
const junk = [
  '\r\n',
  '\n',
  '\u0000',
  '\r',
  ' ',
  ':',
  '\u00ff',
  'HTTP/1.1',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
]

/** Draws the connection of a number; the same for the same seed. */
export function drawConnection(seed: string, number: number): HostileConnection {
  const random = createRandom('abuse', seed, String(number))
  const below = (n: number) => Math.floor(random.fraction() * n)
  const chance = (share: number) => random.fraction() < share
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T

  function request(): Buffer {
    const { method, path } = one(known)
    const id = path.replace(/:\w+/g, () => one(ids))
    const target = chance(0.03) ? one(targets) : id + one(queries)
    const url = chance(0.03)
      ? `${one(['http://127.0.0.1', 'http://', 'file://', 'http://[/'])}${target}`
      : target
    const lines = [
      `${chance(0.02) ? one(methods) : method} ${url} ${chance(0.01) ? one(['HTTP/1.0', 'HTTP/2', '']) : 'HTTP/1.1'}`,
    ]
    if (!chance(0.01)) lines.push(`Host: ${chance(0.04) ? one(hosts) : '127.0.0.1'}`)
    if (chance(0.7)) lines.push(`Authorization: Bearer ${chance(0.9) ? one(keys) : `wak_test_${below(500)}`}`)
    for (let n = chance(0.4) ? below(4) : 0; n > 0; n--) lines.push(one(headers))
    if (chance(0.03)) lines.push(one(lastHeaders))
    if (chance(0.001)) lines.push(...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`))
    const body = Buffer.from(
      method === 'GET' && chance(0.9) ? '' : chance(0.002) ? 'x'.repeat(1_200_000) : one(bodies),
    )
    const isChunked = body.length > 0 && chance(0.25)
    if (isChunked) lines.push('Transfer-Encoding: chunked')
    if (body.length > 0 && (!isChunked || chance(0.01)))
      lines.push(`Content-Length: ${body.length + (chance(0.01) ? below(20) - 10 : 0)}`)
    const head = Buffer.from([...lines, '', ''].join('\r\n'), chance(0.5) ? 'utf8' : 'latin1')
    return Buffer.concat([head, ...(isChunked ? chunks(body) : [body])])
  }

  function chunks(body: Buffer): Buffer[] {
    const size = chance(0.1) ? 1 + below(20) : 1 + below(body.length)
    const parts: Buffer[] = []
    for (let at = 0; at < body.length && parts.length < 300; at += size) {
      const part = body.subarray(at, at + size)
      parts.push(
        Buffer.from(`${part.length.toString(16)}${chance(0.01) ? ';x="' : ''}\r\n`),
        part,
        Buffer.from('\r\n'),
      )
    }
    return [...parts, Buffer.from(chance(0.05) ? '0\r\nTrailer: x\r\n\r\n' : '0\r\n\r\n')]
  }

  function broken(bytes: Buffer): Buffer {
    const at = below(bytes.length)
    const to = at + below(30)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(to)]
    const kind = below(4)
    if (kind === 0) return Buffer.concat([before, Buffer.from([below(256)]), bytes.subarray(at + 1)])
    if (kind === 1) return Buffer.concat([before, after])
    if (kind === 2) return Buffer.concat([before, Buffer.from(one(junk), 'latin1'), bytes.subarray(at)])
    return chance(0.3) ? before : Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
  }

  const requests = chance(0.3) ? 1 : 1 + below(chance(0.05) ? 300 : 24)
  let bytes = Buffer.concat(Array.from({ length: requests }, request)) as Buffer
  for (let n = chance(0.4) ? 1 + below(3) : 0; n > 0 && bytes.length > 0; n--) bytes = broken(bytes)
  const cuts = chance(0.7)
    ? []
    : Array.from({ length: 1 + below(6) }, () => below(bytes.length)).sort((a, b) => a - b)
  const pieces = [...cuts, bytes.length].map((cut, i) => bytes.subarray(cuts[i - 1] ?? 0, cut))
  return { pieces, requests, ending: one(['at once', 'at once', 'later', 'reset']), isDeaf: chance(0.04) }
}
