// HTTP clients of npm: `node clients.mjs SET-UP METHOD=URL …` sends the requests one after another with the client of
// that name, and prints the status and the length of each answer, or `error`. A name that ends in `:fixed` is the same
// client with the switch that ends its repeats of POST.
import { ofData, ofFetch, textOf } from './answers.mjs'
import { services } from './services.mjs'

async function undici(composed) {
  const { Agent, request } = await import('undici')
  const dispatcher = await composed(new Agent(), await import('undici'))
  return async (method, url) => {
    const { statusCode, body } = await request(url, { method, dispatcher })
    return [statusCode, (await body.text()).length]
  }
}

async function axios(prepare) {
  const { default: library } = await import('axios')
  const { Agent } = await import('node:http')
  const client = library.create({ httpAgent: new Agent({ keepAlive: true }) })
  await prepare?.(client, library)
  return async (method, url) => {
    const { status, data } = await client.request({
      method,
      url,
      responseType: 'text',
      transformResponse: [],
    })
    return ofData(status, data)
  }
}

async function axiosRetry(options) {
  const retry = await import('axios-retry')
  return axios((client) => retry.default(client, options(retry)))
}

/** A library that calls what it is given again, around `fetch`, whose errors of status are made ones here. */
async function retriedFetch(again) {
  const call = await again()
  return (method, url) =>
    call(async () => {
      const answer = await fetch(url, { method })
      return ofFetch(answer)
    }, method)
}

async function got(options) {
  const { default: library } = await import('got')
  const { Agent } = await import('node:http')
  const client = library.extend({ agent: { http: new Agent({ keepAlive: true }) }, ...options })
  return async (method, url) => {
    const { statusCode, body } = await client(url, { method })
    return [statusCode, body.length]
  }
}

async function ky(options) {
  const { default: library } = await import('ky')
  return async (method, url) => ofFetch(await library(url, { method, ...options }))
}

async function ofetch(options) {
  const { ofetch: library } = await import('ofetch')
  return async (method, url) => {
    const { status, _data } = await library.raw(url, { method, responseType: 'text', ...options })
    return ofData(status, _data)
  }
}

async function superagent(prepare) {
  const { default: library } = await import('superagent')
  return async (method, url) => {
    const { status, text } = await prepare(library(method, url))
    return ofData(status, text)
  }
}

async function gaxios(options) {
  const { Gaxios } = await import('gaxios')
  const { Agent } = await import('node:http')
  const agent = new Agent({ keepAlive: true })
  const client = new Gaxios({ agent, responseType: 'text', ...options })
  return async (method, url) => {
    const { status, data } = await client.request({ url, method })
    return ofData(status, data)
  }
}

async function makeFetchHappen(options) {
  const { default: library } = await import('make-fetch-happen')
  return async (method, url) => ofFetch(await library(url, { method, ...options }))
}

async function urllib(options) {
  const { request } = await import('urllib')
  return async (method, url) => {
    const { status, data } = await request(url, { method, dataType: 'text', ...options })
    return ofData(status, data)
  }
}

async function nodeHttp(keepAlive) {
  const { Agent, request } = await import('node:http')
  const agent = new Agent({ keepAlive })
  return (method, url) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, agent }, (answer) =>
        textOf(answer).then((text) => resolve([answer.statusCode, text.length]), reject),
      )
      sent.on('error', reject).end()
    })
}

const isGet = (method) => method !== 'POST'

const setUps = {
  fetch: async () => async (method, url) => ofFetch(await fetch(url, { method })),
  'node:http': () => nodeHttp(true),
  'node:http without keep-alive': () => nodeHttp(false),
  'undici request': () => undici((agent) => agent),
  'undici RetryAgent': () => undici((agent, { RetryAgent }) => new RetryAgent(agent)),
  'undici RetryAgent for POST': () =>
    undici((agent, { RetryAgent }) => new RetryAgent(agent, { methods: ['GET', 'POST'] })),
  'undici RetryAgent for POST:fixed': () =>
    undici(
      (agent, { RetryAgent }) =>
        new RetryAgent(agent, { methods: ['GET', 'POST'], statusCodes: [429, 503], errorCodes: [] }),
    ),
  axios: () => axios(),
  'axios-retry': () => axiosRetry(() => ({})),
  'axios-retry:fixed': () =>
    axiosRetry(({ isIdempotentRequestError }) => ({ retryCondition: isIdempotentRequestError })),
  'axios-retry exponentialDelay': () =>
    axiosRetry(({ exponentialDelay }) => ({ retryDelay: exponentialDelay })),
  'axios-retry exponentialDelay:fixed': () =>
    axiosRetry(({ exponentialDelay, isIdempotentRequestError }) => ({
      retryDelay: exponentialDelay,
      retryCondition: isIdempotentRequestError,
    })),
  'retry-axios': async () => {
    const { attach } = await import('retry-axios')
    return axios((client) => {
      client.defaults.raxConfig = {}
      attach(client)
    })
  },
  ky: () => ky({}),
  'ky with methods: POST': () => ky({ retry: { methods: ['post'], backoffLimit: 500 } }),
  'ky with methods: POST:fixed': () =>
    ky({
      retry: {
        methods: ['post'],
        statusCodes: [429, 503],
        shouldRetry: ({ error }) => (error.name === 'HTTPError' ? undefined : false),
      },
    }),
  got: () => got({}),
  'got with methods: POST': () => got({ retry: { limit: 2, methods: ['POST'] } }),
  'got with methods: POST:fixed': () =>
    got({ retry: { limit: 2, methods: ['POST'], statusCodes: [429, 503], errorCodes: [] } }),
  ofetch: () => ofetch({}),
  'ofetch retry: 2': () => ofetch({ retry: 2 }),
  'ofetch retry: 2:fixed': () => ofetch({}),
  superagent: () => superagent((request) => request),
  'superagent .retry(2)': () => superagent((request) => request.retry(2)),
  'superagent .retry(2):fixed': () =>
    superagent((request) =>
      request.retry(2, (_, answer) => answer?.status === 429 || answer?.status === 503),
    ),
  needle: async () => {
    const { default: needle } = await import('needle')
    return async (method, url) => {
      const { statusCode, raw } = await needle(method.toLowerCase(), url, null, { parse: false })
      return [statusCode, raw.length]
    }
  },
  'node-fetch': async () => {
    const { default: nodeFetch } = await import('node-fetch')
    return async (method, url) => ofFetch(await nodeFetch(url, { method }))
  },
  'cross-fetch': async () => {
    const { default: crossFetch } = await import('cross-fetch')
    return async (method, url) => ofFetch(await crossFetch(url, { method }))
  },
  gaxios: () => gaxios({}),
  'gaxios retry: true': () => gaxios({ retry: true }),
  'gaxios for POST': () => gaxios({ retryConfig: { httpMethodsToRetry: ['GET', 'POST'] } }),
  'gaxios for POST:fixed': () =>
    gaxios({
      retryConfig: {
        httpMethodsToRetry: ['GET', 'POST'],
        noResponseRetries: 0,
        statusCodesToRetry: [
          [429, 429],
          [503, 503],
        ],
      },
    }),
  'wretch retry()': async () => {
    const { default: wretch } = await import('wretch')
    const { retry } = await import('wretch/middlewares')
    const client = wretch().middlewares([retry({ maxAttempts: 2 })])
    return async (method, url) => ofFetch(await client.url(url)[method.toLowerCase()]().res())
  },
  'wretch retry():fixed': async () => {
    const { default: wretch } = await import('wretch')
    const { retry } = await import('wretch/middlewares')
    const until = (answer, error) =>
      error !== undefined || (answer !== undefined && ![429, 503].includes(answer.status))
    const client = wretch().middlewares([retry({ maxAttempts: 2, until })])
    return async (method, url) => ofFetch(await client.url(url)[method.toLowerCase()]().res())
  },
  'typed-rest-client allowRetries': async () => {
    const { HttpClient } = await import('typed-rest-client/HttpClient.js')
    const client = new HttpClient('example', [], { allowRetries: true, maxRetries: 3, keepAlive: true })
    return async (method, url) => {
      const answer = await client.request(method, url, null, {})
      return [answer.message.statusCode, (await answer.readBody()).length]
    }
  },
  'make-fetch-happen': () => makeFetchHappen({}),
  'make-fetch-happen retry: 2': () => makeFetchHappen({ retry: { retries: 2, minTimeout: 100 } }),
  'minipass-fetch': async () => {
    const { default: minipassFetch } = await import('minipass-fetch')
    return async (method, url) => ofFetch(await minipassFetch(url, { method }))
  },
  phin: async () => {
    const { default: phin } = await import('phin')
    return async (method, url) => {
      const { statusCode, body } = await phin({ url, method })
      return [statusCode, body.length]
    }
  },
  centra: async () => {
    const { default: centra } = await import('centra')
    return async (method, url) => {
      const answer = await centra(url, method).send()
      return [answer.statusCode, (await answer.text()).length]
    }
  },
  popsicle: async () => {
    const { fetch: popsicle } = await import('popsicle')
    return async (method, url) => ofFetch(await popsicle(url, { method }))
  },
  alova: async () => {
    const { createAlova } = await import('alova')
    const { default: adapter } = await import('alova/fetch')
    const client = createAlova({ requestAdapter: adapter(), cacheFor: null })
    return async (method, url) => ofFetch(await client.Request({ url, method }))
  },
  request: async () => {
    const { default: request } = await import('request')
    return (method, url) =>
      new Promise((resolve, reject) =>
        request({ method, url, forever: true }, (error, answer, body) =>
          error ? reject(error) : resolve([answer.statusCode, body.length]),
        ),
      )
  },
  bent: async () => {
    const { default: bent } = await import('bent')
    return async (method, url) => {
      const answer = await bent(method)(url)
      return [answer.statusCode, (await textOf(answer)).length]
    }
  },
  'fetch-retry': async () => {
    const { default: wrap } = await import('fetch-retry')
    const retrying = wrap(fetch)
    return async (method, url) => ofFetch(await retrying(url, { method }))
  },
  'fetch-retry:fixed': async () => {
    const { default: wrap } = await import('fetch-retry')
    const retrying = wrap(fetch, {
      retryOn: (attempt, error, answer) => attempt < 3 && !error && answer.status === 503,
    })
    return async (method, url) => ofFetch(await retrying(url, { method }))
  },
  'cockatiel around fetch': () =>
    retriedFetch(async () => {
      const { ConstantBackoff, handleAll, retry } = await import('cockatiel')
      const policy = retry(handleAll, { maxAttempts: 3, backoff: new ConstantBackoff(200) })
      return (call) => policy.execute(call)
    }),
  'cockatiel around fetch:fixed': () =>
    retriedFetch(async () => {
      const { ConstantBackoff, handleAll, noop, retry } = await import('cockatiel')
      const policy = retry(handleAll, { maxAttempts: 3, backoff: new ConstantBackoff(200) })
      return (call, method) => (isGet(method) ? policy : noop).execute(call)
    }),
  'p-retry around fetch': () =>
    retriedFetch(async () => {
      const { default: pRetry } = await import('p-retry')
      return (call) => pRetry(call, { retries: 2, minTimeout: 200 })
    }),
  'p-retry around fetch:fixed': () =>
    retriedFetch(async () => {
      const { default: pRetry } = await import('p-retry')
      return (call, method) => pRetry(call, { retries: 2, minTimeout: 200, shouldRetry: () => isGet(method) })
    }),
  'async-retry around fetch': () =>
    retriedFetch(async () => {
      const { default: asyncRetry } = await import('async-retry')
      return (call) => asyncRetry(call, { retries: 2, minTimeout: 200 })
    }),
  'async-retry around fetch:fixed': () =>
    retriedFetch(async () => {
      const { default: asyncRetry } = await import('async-retry')
      const ended = (bail, method) => (error) => {
        if (isGet(method)) throw error
        bail(error)
      }
      return (call, method) =>
        asyncRetry((bail) => call().catch(ended(bail, method)), { retries: 2, minTimeout: 200 })
    }),
  'exponential-backoff around fetch': () =>
    retriedFetch(async () => {
      const { backOff } = await import('exponential-backoff')
      return (call) => backOff(call, { numOfAttempts: 3 })
    }),
  'exponential-backoff around fetch:fixed': () =>
    retriedFetch(async () => {
      const { backOff } = await import('exponential-backoff')
      return (call, method) => backOff(call, { numOfAttempts: 3, retry: () => isGet(method) })
    }),
  urllib: () => urllib({}),
  'urllib:fixed': () => urllib({ socketErrorRetry: 0 }),
  'teeny-request': async () => {
    const { teenyRequest } = await import('teeny-request')
    return (method, uri) =>
      new Promise((resolve, reject) =>
        teenyRequest({ method, uri, forever: true }, (error, answer, body) =>
          error ? reject(error) : resolve(ofData(answer.statusCode, body)),
        ),
      )
  },
  ...services,
}

const [name, ...requests] = process.argv.slice(2)
process.on('uncaughtException', () => console.log('error'))
const send = await setUps[name]()
for (const [, method, url] of requests.map((request) => /^(\w+)=(.*)$/.exec(request)))
  console.log(
    await send(method, url).then(
      (answer) => answer.join(' '),
      (error) => (process.env.SHOW_ERRORS ? error : 'error'),
    ),
  )
process.exit()
