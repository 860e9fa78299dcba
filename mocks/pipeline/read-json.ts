/** The JSON body of a request: read within bounds, and refused with a reason. */
import { type Failure, fail } from '../core/failure.ts'

/** Longest body that is read, bytes. */
export const longestBody = 1_048_576
/** Deepest nesting of a body; no answer could carry much deeper ones back. */
const deepest = 100

/** Of a body that is too long, how much is still taken in (and dropped), so that its sender hears the answer. */
const mostDropped = 64 * longestBody

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the body as a JSON object, or answers why it is none; `keep` is given its text, where it is one.
 * `longest`: bytes.
 */
export async function readJsonObject(
  request: Request,
  keep: (text: string) => void = () => undefined,
  longest = longestBody,
): Promise<object | Failure<'unreadable'>> {
  const bytes = await readBytes(request, longest).catch(() => 'broken' as const)
  if (bytes === 'broken') return fail('unreadable', 'The body broke off.')
  if (!bytes) return fail('unreadable', `The body is larger than ${longest / 1_048_576} MiB.`)
  if (bytes.byteLength === 0) return fail('unreadable', 'The body is missing; send a JSON object.')
  let value: unknown
  try {
    const text = utf8.decode(bytes)
    keep(text)
    value = JSON.parse(text)
  } catch {
    return fail('unreadable', 'The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('unreadable')
  if (isDeeperThan(value, deepest))
    return fail('unreadable', `The body is nested deeper than ${deepest} levels.`)
  return value
}

/** All bytes of the body, or undefined where there are too many. */
async function readBytes(request: Request, longest: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > longest) return undefined
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

/** Walks without recursion: a body may be nested deeper than a stack. */
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
