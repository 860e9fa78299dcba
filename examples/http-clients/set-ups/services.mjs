// Clients of services, which send their requests by HTTP clients of their own.
import { ofData, ofFetch } from './answers.mjs'

async function azure(retryOptions) {
  const pipeline = await import('@azure/core-rest-pipeline')
  const line = pipeline.createPipelineFromOptions({ retryOptions })
  const client = pipeline.createDefaultHttpClient()
  return async (method, url) => {
    const request = pipeline.createPipelineRequest({ method, url, allowInsecureConnection: true })
    const { status, bodyAsText } = await line.sendRequest(client, request)
    return ofData(status, bodyAsText ?? '')
  }
}

async function octokit(options) {
  const { Octokit } = await import('@octokit/core')
  const { retry } = await import('@octokit/plugin-retry')
  const Retrying = options ? Octokit.plugin(retry) : Octokit
  const client = new Retrying({ log: { debug() {}, info() {}, warn() {}, error() {} }, ...options })
  return async (method, url) => {
    const { status, data } = await client.request(`${method} ${url}`)
    return ofData(status, data)
  }
}

async function lambda(maxAttempts) {
  const { LambdaClient, InvokeCommand } = await import('@aws-sdk/client-lambda')
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  return async (method, url) => {
    if (method !== 'POST') return ofFetch(await fetch(url))
    const endpoint = url
    const client = new LambdaClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts })
    const { StatusCode, Payload } = await client.send(new InvokeCommand({ FunctionName: 'run' }))
    return [StatusCode, Payload.length]
  }
}

async function stripe(options) {
  const { default: Stripe } = await import('stripe')
  return async (method, url) => {
    const { protocol, hostname: host, port, pathname } = new URL(url)
    const client = new Stripe('sk_test_none', { host, port, protocol: protocol.slice(0, -1), ...options })
    const answer = await client.rawRequest(method, pathname)
    return ofData(answer.lastResponse.statusCode, answer)
  }
}

export const services = {
  '@azure/core-rest-pipeline': () => azure(undefined),
  '@azure/core-rest-pipeline:fixed': () => azure({ maxRetries: 0 }),
  '@octokit/core': () => octokit(),
  '@octokit/plugin-retry': () => octokit({}),
  '@octokit/plugin-retry:fixed': () => octokit({ retry: { enabled: false } }),
  '@aws-sdk/client-lambda': () => lambda(undefined),
  '@aws-sdk/client-lambda:fixed': () => lambda(1),
  stripe: () => stripe({}),
  'stripe:fixed': async () => {
    const { default: Stripe } = await import('stripe')
    return stripe({ maxNetworkRetries: 0, httpClient: Stripe.createFetchHttpClient() })
  },
}
