/** Any service over HTTP. */
import http from 'node:http'
import https from 'node:https'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Agent, buildConnector, fetch } from 'undici'
import { bodyBytesOf } from '#traffic/malformed-input.ts'
import { type OutgoingRequest, streamInHalves, type Target } from '../client/target.ts'

/** The certificates that a target accepts over HTTPS. */
export interface CertificateTrust {
  /** Certificates of authorities in PEM form, in addition to those that Node trusts. */
  readonly ca?: string | undefined
  /** Accept any certificate. */
  readonly insecure?: boolean
}

/** Makes connections on which a service may send what HTTP allows and undici refuses. */
function connector(options: Partial<buildConnector.BuildOptions>): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, callback) =>
    connect(to, (...result) => {
      const [error, socket] = result
      if (error) return callback(...result)
      const read = socket.read.bind(socket)
      socket.read = (size) => readable(read(size))
      callback(null, socket)
    })
}

/**
 * The bytes as undici accepts them: a `100 Continue` that it did not ask for (RFC 9110 §15.2) becomes 103, which means
 * as little; white space behind a Content-Length (RFC 9112 §5) moves in front of the number.
 */
function readable(bytes: Buffer | null): Buffer | null {
  if (bytes?.toString('latin1', 0, 5) !== 'HTTP/') return bytes
  const head = bytes.toString('latin1', 0, Math.max(0, bytes.indexOf('\r\n\r\n')))
  const plain = head
    .replace(/^(HTTP\/\d\.\d) 100 /, '$1 103 ')
    .replace(/^(content-length:[ \t]*)(\d+)([ \t]+)$/im, '$1$3$2')
  if (plain !== head) bytes.write(plain, 'latin1')
  return bytes
}

/** Options of `fetch` for a request whose body comes in two halves, although its length is sent. */
const inPart = (bytes: Uint8Array, headers: OutgoingRequest['headers'], secondHalf: Promise<unknown>) => ({
  headers: { ...headers, 'content-length': String(bytes.length) },
  body: streamInHalves(bytes, secondHalf),
  duplex: 'half' as const,
})

/**
 * Decoders of the content codings that `fetch` decodes: a service may use them where no `Accept-Encoding` was sent
 * (RFC 9110 §12.5.3).
 */
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Sends a request that has neither a body nor a length, which undici always adds. */
function sendWithoutLength(
  url: string,
  { method, headers, signal }: OutgoingRequest,
  trust: object,
): Promise<Response> {
  const { 'content-length': _, ...others } = headers
  const send = url.startsWith('https:') ? https.request : http.request
  const request = send(url, { ...trust, method, headers: others, ...(signal && { signal }), agent: false })
  request.useChunkedEncodingByDefault = false
  return new Promise((answered, failed) => {
    request.on('error', (cause) => failed(new TypeError('fetch failed', { cause })))
    request.on('response', (answer) => {
      const { statusCode: status = 0, rawHeaders } = answer
      const pairs = rawHeaders.flatMap((name, i): [string, string][] =>
        i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
      )
      const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
      const plain = decoder ? pipeline(answer, decoder, () => undefined) : answer
      const body = status === 204 || status === 304 ? null : (Readable.toWeb(plain) as ReadableStream)
      answered(new Response(body, { status, headers: pairs }))
    })
    request.end()
  })
}

/** A target at a base URL, which may have a path; a trailing slash does not matter. */
export function createHttpTarget(baseUrl: string, { ca, insecure = false }: CertificateTrust = {}): Target {
  const trust = {
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  }
  const connect = connector(trust)
  const agent = new Agent({ keepAliveTimeout: 4_000, pipelining: 1, connect })
  const freshAgent = new Agent({ pipelining: 0, connect })
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    async transport(url, outgoing) {
      const { method, headers, body, signal, fresh, secondHalf } = outgoing
      if (headers['content-length'] === '') return sendWithoutLength(url, outgoing, trust)
      const init = {
        method,
        headers,
        dispatcher: fresh ? freshAgent : agent,
        redirect: 'manual' as const,
        body: body === undefined ? null : bodyBytesOf(body),
        signal: signal ?? null,
        ...(body !== undefined && secondHalf && inPart(Buffer.from(bodyBytesOf(body)), headers, secondHalf)),
      }
      return (await fetch(url, init)) as unknown as Response
    },
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
    now: () => performance.now(),
    close: async () => void (await Promise.all([agent.destroy(), freshAgent.destroy()])),
  }
}
