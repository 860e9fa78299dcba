/** Reads the JSON body of a request, bounded in length and depth. */
import { type Failure, fail } from '../core/failure.ts'

/** Maximum length of a body, bytes. */
export const longestBody = 1_048_576
/** Maximum nesting of a body; much deeper ones could not be serialized in a response. */
const deepest = 100

/** Bytes of a too long body that are read and dropped, so that the client receives the response. */
const mostDropped = 64 * longestBody

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body as it was received: how long it is, and its text; undefined: it is not UTF-8. */
export interface ReceivedBody {
  readonly bytes: number
  readonly text: string | undefined
}

/** A body, or why there is none: it is broken off, or too long. */
export type Reception = ReceivedBody | 'broken' | 'long'

/**
 * Reads the body as a JSON object.
 * @param longest maximum length, bytes.
 * @returns the object, or the failure.
 */
export async function readJsonObject(
  request: Request,
  longest = longestBody,
): Promise<object | Failure<'unreadable'>> {
  return jsonObjectOf(await receive(request, longest), longest)
}

/** Receives a body. Returns why it cannot: it is broken off, or longer than `longest`. */
export async function receive(request: Request, longest = longestBody): Promise<Reception> {
  const bytes = await readBytes(request, longest).catch(() => 'broken' as const)
  if (bytes === undefined) return 'long'
  return bytes === 'broken' ? bytes : { bytes: bytes.byteLength, text: textOf(bytes) }
}

/** Returns the JSON object in a body, or the failure. */
export function jsonObjectOf(body: Reception, longest = longestBody): object | Failure<'unreadable'> {
  if (body === 'broken') return fail('unreadable', 'The body is incomplete.')
  if (body === 'long' || body.bytes > longest)
    return fail('unreadable', `The body is larger than ${longest / 1_048_576} MiB.`)
  if (body.bytes === 0) return fail('unreadable', 'The body is missing; send a JSON object.')
  let value: unknown
  try {
    value = JSON.parse(body.text ?? '')
  } catch {
    return fail('unreadable', 'The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('unreadable')
  if (isDeeperThan(value, deepest))
    return fail('unreadable', `The body is nested deeper than ${deepest} levels.`)
  return value
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns all bytes of the body, or undefined if there are more than `longest`. */
async function readBytes(request: Request, longest: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > longest) return undefined
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.byteLength > longest ? undefined : bytes
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length <= longest) chunks.push(chunk)
    else if (length > Math.max(mostDropped, longest)) return undefined
  }
  if (length > longest) return undefined
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** Iterative, since a body may be nested deeper than the call stack allows. */
function isDeeperThan(value: object, levels: number): boolean {
  let level = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: object[] = []
    for (const one of level) {
      for (const inner of Object.values(one))
        if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    level = next
  }
  return false
}
