/** Credentials that no report may show, and a service that echoes them in every form. */
import { createMock } from '#mocks/app.ts'
import type { Target } from '../../client/target.ts'
import type { SuiteSettings } from '../../harness/terms.ts'

/** Characters that URLs, JSON, HTML and base64 all write in their own way. */
const odd = `"<&>'/+\\%=`
const sentinel = (core: string) => `${core.slice(0, 9)}${odd}${core.slice(9)}`

/** The distinctive middles of the test secrets, which occur nowhere else. */
export const testSecretCores = {
  apiKey: 'vK2sQ7kX9vW3rB5tN2mD8yG4uJ6aZ1cF',
  otherApiKey: 'bH1pL0sZ8cF6eV4iO2wT9xK7rM3dY5gU',
  session: 'cM3nR5qY7dS9jC1fA0gU2hE4kP6oB8wX',
  created: 'dW8vT6xP4kB2zL0rN9mQ7sJ5uC3iH1eO',
}

const sentinels: Pick<SuiteSettings, 'apiKey' | 'otherApiKey' | 'sessionCookie'> = {
  apiKey: sentinel(testSecretCores.apiKey),
  otherApiKey: testSecretCores.otherApiKey,
  sessionCookie: `sid=${encodeURIComponent(sentinel(testSecretCores.session))}`,
}

/** A way in which the echoing test service misbehaves. */
export type EchoMisbehaviour =
  | 'adds fields'
  | 'answers errors'
  | 'answers text'
  | 'answers lists'
  | 'sends headers'

const statesUrl = 'http://echo.invalid/__admin/states'

/** Settings of a run against the echoing service, with which every requirement is exercised. */
export const echoSettings: Pick<SuiteSettings, 'apiKey'> & Partial<SuiteSettings> = {
  ...sentinels,
  statesUrl,
  extended: 'on',
  maxCredits: 20,
}

/** A test service that accepts the test secrets as credentials, and echoes every secret that it knows. */
export function createEchoingService(misbehaviour: EchoMisbehaviour): Target {
  const mock = createMock({ credits: 40, rateLimit: 'off', now: Date.UTC(2026, 2, 2) })
  mock.clock.freeze()
  const { apiKey, otherApiKey, sessionCookie } = mock.credentials()
  const real = new Map([
    [`bearer ${sentinels.apiKey}`.toLowerCase(), { authorization: `Bearer ${apiKey}` }],
    [`bearer ${sentinels.otherApiKey}`.toLowerCase(), { authorization: `Bearer ${otherApiKey}` }],
    [sentinels.sessionCookie?.toLowerCase(), { cookie: sessionCookie }],
  ])
  const known = {
    apiKey: sentinels.apiKey,
    otherApiKey: sentinels.otherApiKey ?? '',
    session: sentinel(testSecretCores.session),
    cookie: sentinels.sessionCookie ?? '',
    created: '',
    sent: '',
  }
  const secrets = new Map<string, string>()

  return {
    baseUrl: 'http://echo.invalid',
    async transport(url, { method, headers, body, signal }) {
      const sent = { ...headers }
      const credential = sent.authorization ?? sent.cookie
      known.sent = credential ?? ''
      for (const [made, secret] of secrets)
        if (credential === `Bearer ${made}`) sent.authorization = `Bearer ${secret}`
      const request = new Request(url.replaceAll(encodeURIComponent(idMark()), ''), {
        method,
        headers: { ...sent, ...real.get(credential?.toLowerCase()) },
        ...(body === undefined ? {} : { body: body.replaceAll(JSON.stringify(idMark()).slice(1, -1), '') }),
        ...(signal ? { signal } : {}),
      })
      const response = await mock.fetch(request)
      if (url === statesUrl) return response
      const json = (await response.json()) as Record<string, unknown>
      if (typeof json.secret === 'string' && misbehaviour !== 'answers errors') {
        const made = `${sentinel(testSecretCores.created)}-${secrets.size}`
        secrets.set(made, json.secret)
        known.created = made
        json.secret = made
      }
      return misbehave(misbehaviour, response.status, json, Object.values(known).filter(Boolean))
    },
    sleep: async (ms) => void mock.clock.advance(ms),
    now: () => mock.clock.now(),
    close: async () => undefined,
  }
}

/** Appended to each id, so that the suite sends a secret in paths. */
const idMark = () => `~${sentinels.apiKey}`

function misbehave(
  misbehaviour: EchoMisbehaviour,
  status: number,
  json: Record<string, unknown>,
  secrets: string[],
): Response {
  const echo = secrets.flatMap(knownForms)
  const type = { 'content-type': 'application/json' }
  if (misbehaviour === 'answers errors') {
    const message = echo.join(' ')
    return new Response(JSON.stringify({ error: message, message }), { status: 418, headers: type })
  }
  if (misbehaviour === 'answers text') return new Response(echo.join('\n'), { status })
  if (misbehaviour === 'answers lists')
    return new Response(JSON.stringify([echo, json]), { status, headers: type })
  if (misbehaviour === 'sends headers') {
    const echoed = Object.fromEntries(
      echo.filter((text) => /^[\x20-\x7e]+$/.test(text)).map((text, i) => [`x-echo-${i}`, text]),
    )
    return new Response(JSON.stringify(json.secret === undefined ? { ok: 'no' } : json), {
      status,
      headers: {
        ...type,
        ...echoed,
        'set-cookie': `sid=${secrets[0]}`,
        [`x-${sentinels.otherApiKey}`]: 'a name',
      },
    })
  }
  const ids = JSON.parse(JSON.stringify(json), (name, value) =>
    name === 'id' && typeof value === 'string' ? value + idMark() : value,
  )
  return new Response(JSON.stringify({ ...ids, echo, status: secrets[0] }), { status, headers: type })
}

const known = new Map<string, string[]>()

/** The forms of a secret that comes back in many answers. */
function knownForms(secret: string): string[] {
  const forms = known.get(secret) ?? secretEncodings(secret)
  known.set(secret, forms)
  return forms
}

/** Forms in which a service may echo a secret, such as URL-encoded. */
export function secretEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const units = [...secret].map((character) => character.charCodeAt(0))
  return [
    secret,
    `Invalid key ${secret}.`,
    encodeURIComponent(secret),
    encodeURI(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ key: secret }).toString(),
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify({ key: secret })),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''),
    units.map((unit) => `&#${unit};`).join(''),
    units.map((unit) => `&#x${unit.toString(16)};`).join(''),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    JSON.stringify(bytes),
    ...['', 'x', 'xy', 'Bearer '].flatMap((before) => [
      Buffer.from(`${before}${secret}`).toString('base64'),
      Buffer.from(`${before}${secret} and more`).toString('base64url'),
    ]),
    encodeURIComponent(bytes.toString('base64')),
    secret.toUpperCase(),
  ]
}
