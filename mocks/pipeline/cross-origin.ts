/** Lets pages of other origins call the API (CORS), with the credentials that they have. */
import type { Answer } from '../handlers/respond.ts'
import type { ReceivedRequest } from './received-request.ts'

const exposed = ['Retry-After', 'Date', 'X-Mock-Reason', 'Preference-Applied'].join(',')
const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'QUERY'].join(',')

function sharedHeaders(request: ReceivedRequest): Record<string, string> {
  const origin = request.header('origin')
  return {
    ...(origin && { 'access-control-allow-origin': origin }),
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
  }
}

/** Answers a CORS preflight of a browser; undefined: the request is none. */
export function answerPreflight(request: ReceivedRequest): Answer | undefined {
  if (request.method !== 'OPTIONS') return undefined
  const wanted = request.header('access-control-request-headers')
  const allowed = wanted?.split(',').map((name) => name.trim())
  const headers = {
    ...sharedHeaders(request),
    vary: allowed ? 'Origin, Access-Control-Request-Headers' : 'Origin',
    'access-control-allow-methods': methods,
    ...(allowed && { 'access-control-allow-headers': allowed.join(',') }),
  }
  return { status: 204, headers, text: '' }
}

/** Adds CORS headers to the headers of an answer. Names in lower case. */
export function withCorsHeaders(request: ReceivedRequest, headers: Answer['headers']): Answer['headers'] {
  const { vary } = headers
  return {
    ...headers,
    ...sharedHeaders(request),
    vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
  }
}
