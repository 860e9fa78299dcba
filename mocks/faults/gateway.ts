/** Answers that a gateway gives in place of a service, as measured on real ones. */

/** An answer that a gateway gives in place of the service. Names of headers in lower case. */
export interface GatewayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface GatewayRow {
  readonly answer: GatewayAnswer
  /** The answer for the argument `json`. */
  readonly json?: GatewayAnswer
  readonly description: string
}

const page = (status: number, title: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  text: `<html><body><h1>${status} ${title}</h1></body></html>\n`,
})

/** The answers of gateways, by the keywords that request them in fault rules. */
export const gatewayAnswerByKeyword = {
  request_timeout: {
    answer: page(408, 'Request Time-out', { connection: 'close' }),
    description: '408, not in JSON, and the connection is closed, as if the request had come too slowly.',
  },
  bad_gateway: {
    answer: page(502, 'Bad Gateway'),
    description: '502, not in JSON, as from something in front of the service.',
  },
  gateway_timeout: {
    answer: page(504, 'Gateway Time-out'),
    description: '504, not in JSON, as from a gateway that waited too long.',
  },
  gateway_error: {
    answer: page(500, 'Internal Server Error'),
    json: {
      status: 500,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      text: JSON.stringify({
        statusCode: 500,
        code: 'ECONNRESET',
        error: 'Internal Server Error',
        message: 'Connection Reset',
      }),
    },
    description:
      '500, not in JSON as from lighttpd, or in JSON like that of the API, as from @fastify/http-proxy.',
  },
  empty_200: {
    answer: { status: 200, headers: {}, text: '' },
    description: '200 without a body, as from a gateway that knows no such host.',
  },
} as const satisfies Readonly<Record<string, GatewayRow>>

/** The keyword of a gateway's answer in a fault rule, such as `bad_gateway`. */
export type GatewayKeyword = keyof typeof gatewayAnswerByKeyword

/** The keywords of gateways' answers in fault rules. */
export const gatewayKeywords = Object.keys(gatewayAnswerByKeyword) as readonly GatewayKeyword[]

/** True if the gateway answer with this keyword has a JSON form. */
export const hasJsonForm = (word: GatewayKeyword): boolean => 'json' in gatewayAnswerByKeyword[word]

/** The gateway answer with a keyword. `isJson`: in JSON, if it exists in JSON. */
export function gatewayAnswerFor(word: GatewayKeyword, isJson: boolean): GatewayAnswer {
  const { answer, json = answer }: GatewayRow = gatewayAnswerByKeyword[word]
  return isJson ? json : answer
}

/** A fault: a gateway answers in place of the service. */
export interface GatewayFault {
  readonly gateway: GatewayKeyword
  /** True if the service handles the request first, so that it takes effect although its answer is lost. */
  readonly lost?: boolean
  readonly form?: 'json'
}

/** Parses a gateway fault from its keyword and arguments; undefined: not valid. */
export function parseGatewayFault(
  word: string,
  args: readonly string[],
  lost: boolean,
): GatewayFault | undefined {
  const gateway = gatewayKeywords.find((one) => one === word)
  if (!gateway) return undefined
  if (args.length === 0) return { gateway, lost }
  return hasJsonForm(gateway) && args.join(' ') === 'json' ? { gateway, lost, form: 'json' } : undefined
}

/** Writes a gateway fault as text for a fault rule. */
export const gatewayFaultText = ({ gateway, lost, form }: GatewayFault): string =>
  [lost && 'lost', gateway, form].filter(Boolean).join(' ')

/** Query of an address that a redirect leads to, from which no further redirect follows. */
const mark = 'redirected=1'

/** Another name of each loopback address: to a client, another host. */
const otherNames: Readonly<Record<string, string>> = {
  '127.0.0.1': 'localhost',
  '[::1]': 'localhost',
  localhost: '127.0.0.1',
}

/**
 * A redirect (307) to another address of the mock, where the same request is answered normally; undefined: the request
 * was already sent there.
 */
export function redirectAnswer(url: string): GatewayAnswer | undefined {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  if (search.includes(mark)) return undefined
  const query = `${search}${search === '' ? '?' : '&'}${mark}`
  const name = otherNames[hostname]
  const origin = `${protocol}//${name}${port && `:${port}`}`
  const location = name === undefined ? query : `${origin}${pathname}${query}`
  return { status: 307, headers: { location }, text: '' }
}

/** The fault keyword for each status that only gateways send, never the service. */
export const gatewayKeywordByStatus = {
  307: 'redirect',
  408: 'request_timeout',
  502: 'bad_gateway',
  504: 'gateway_timeout',
} as const
