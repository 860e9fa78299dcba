/** The work by axios. It repeats nothing by itself, and waits for ever for an answer. */
import axios, { type AxiosError, type AxiosInstance, isAxiosError } from 'axios'
import { type Access, main, type Send } from './work.ts'

const sendBy =
  (client: AxiosInstance): Send =>
  async (method, url, data) => {
    try {
      const answer = await client.request({ method, url, data })
      return { status: answer.status, body: answer.data }
    } catch (error) {
      if (!isAxiosError(error) || !error.response) throw error
      return { status: error.response.status, body: error.response.data }
    }
  }

/** Sends a request again after a 429 or a 503, as the service says, and a GET that got no answer. */
async function repeat(client: AxiosInstance, error: AxiosError) {
  const { config, response } = error
  const tries: number = Reflect.get(config ?? {}, 'tries') ?? 1
  const isSafe = response ? [429, 503].includes(response.status) : config?.method === 'get'
  if (!config || !isSafe || tries === 5) throw error
  const after = String(response?.headers['retry-after'] ?? 2 ** (tries - 1))
  const wait = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now()
  await new Promise((resolve) => setTimeout(resolve, wait))
  return client.request(Object.assign(config, { tries: tries + 1 }))
}

await main({
  usual: ({ base: baseURL, headers }: Access) => sendBy(axios.create({ baseURL, headers })),
  fixed({ base: baseURL, headers }) {
    const client = axios.create({ baseURL, headers, timeout: 10_000 })
    client.interceptors.response.use(undefined, (error) => repeat(client, error))
    return sendBy(client)
  },
})
