/** Validates the body and query of a request against the contract. */
import type { z } from 'zod'
import { tryParse } from '#contract/input/checked.ts'
import type { Route } from '#contract/route.ts'
import { jsonBoundsProblem, parseJson } from '#traffic/json-bounds.ts'
import { createFailure, Failure } from '../core/failure.ts'
import type { BodyReception, ReceivedRequest } from './received-request.ts'

/**
 * Validates the body of a request; returns it as the schema parses it, or a failure if it is no JSON object or has a
 * wrong field.
 */
export function validateBody(
  body: BodyReception,
  schema: z.ZodObject,
): object | Failure<'unreadable' | 'invalid'> {
  const json = jsonObjectOf(body)
  return json instanceof Failure ? json : validate(schema, json)
}

/** Validates the query of a request and returns it, or a failure; the first of repeated parameters counts. */
export function readQuery(route: Route, request: ReceivedRequest): object | Failure<'invalid'> | undefined {
  return route.query && validate(route.query, request.query())
}

function validate(schema: z.ZodObject, value: object): object | Failure<'invalid'> {
  const { data, problem } = tryParse(schema, value, 'the body')
  return problem === undefined ? data : createFailure('invalid', problem)
}

/** The longest request body that is accepted, bytes. */
export const maxBodyBytes = 1_048_576
/** Limits on the size of a body: its bytes, and an estimate of its number of JSON values. */
export interface BodySizeLimits {
  readonly bytes: number
  /** Opening brackets and commas, about as many as values; undefined: only the length is limited. */
  readonly values?: number
}

/** Maximum nesting of a body; much deeper ones could not be serialized in a response. */
const deepest = 100

/** Bytes of a too long body that are read and dropped, so that the client receives the response. */
const mostDropped = 64 * maxBodyBytes

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a request body for the journal, also of a refused request; null if there is none. */
export const journalBodyText = (body: BodyReception | undefined): string | null =>
  typeof body === 'object' && body.bytes > 0 ? (body.text ?? null) : null

/** A request body that has not been received yet. */
export interface BodySource {
  /** The length that its sender announced (`Content-Length`); undefined or NaN: none. */
  readonly length: number | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Reads the body of a request as a JSON object; undefined if it is empty. Returns a failure if it is too large,
 * incomplete, or no JSON object.
 */
export async function readJsonObject(
  source: BodySource,
  { bytes: longest, values }: BodySizeLimits = { bytes: maxBodyBytes },
): Promise<object | Failure<'unreadable'> | undefined> {
  const body = await receiveBody(source, longest, values)
  if (typeof body === 'object' && body.bytes === 0) return undefined
  return body === 'many'
    ? createFailure('unreadable', `The body has more than ${values} values.`)
    : jsonObjectOf(body, longest)
}

/**
 * Receives a body, or returns why it cannot: it breaks off, is longer than `longest` bytes, or has more than `most`
 * JSON values.
 */
export async function receiveBody(
  source: BodySource,
  longest = maxBodyBytes,
  most?: number,
): Promise<BodyReception> {
  const bytes = await readBytes(source, longest, most).catch(() => 'broken' as const)
  return typeof bytes === 'string' ? bytes : { bytes: bytes.byteLength, text: textOf(bytes) }
}

function jsonObjectOf(body: BodyReception, longest = maxBodyBytes): object | Failure<'unreadable'> {
  if (body === 'broken') return createFailure('unreadable', 'The body is incomplete.')
  if (body === 'long' || body === 'many' || body.bytes > longest)
    return createFailure('unreadable', `The body is larger than ${longest / 1_048_576} MiB.`)
  if (body.bytes === 0) return createFailure('unreadable', 'The body is missing; send a JSON object.')
  const value = parseJson(body.text)
  if (value === undefined) return createFailure('unreadable', 'The body is not JSON.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return createFailure('unreadable')
  const excess = jsonBoundsProblem(body.text ?? '', { depth: deepest, values: Number.POSITIVE_INFINITY })
  return excess === undefined ? value : createFailure('unreadable', `The body ${excess}.`)
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns all bytes of the body, or why it is not taken. Values are counted by the brackets and commas before them. */
async function readBytes(source: BodySource, longest: number, most: number | undefined) {
  if (source.length !== undefined && source.length > longest) return 'long'
  const chunks: Uint8Array[] = []
  let length = 0
  let left = most ?? Number.POSITIVE_INFINITY
  for await (const chunk of source.chunks) {
    length += chunk.byteLength
    if (most !== undefined && left >= 0)
      for (const byte of chunk) if (byte === 0x5b || byte === 0x7b || byte === 0x2c) left--
    if (length <= longest && left >= 0) chunks.push(chunk)
    else {
      chunks.length = 0
      if (length > Math.max(mostDropped, longest)) break
    }
  }
  if (left < 0) return 'many'
  if (length > longest) return 'long'
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
