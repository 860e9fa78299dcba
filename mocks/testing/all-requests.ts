/** Requests of every kind, for tests that compare all that a mock answers. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Mock } from '../app.ts'
import { type RequestInput, requestFor } from './client.ts'

const reads = operationIds.filter((id) => routeOf(id).method === 'GET' && !routeOf(id).path.includes(':id'))

/** Sends requests of every kind for each name, while time passes; returns every byte of the responses. */
export async function responsesOf(mock: Mock, names: readonly string[]): Promise<string[]> {
  const responses: string[] = []
  const send = async (request: Request) => {
    const answer = await mock.fetch(request).catch((error: Error) => error)
    if (answer instanceof Error) return void responses.push(String(answer.cause))
    const text = await answer.text()
    responses.push(JSON.stringify([answer.status, [...answer.headers], text]))
    return text.startsWith('<') ? undefined : JSON.parse(text)
  }
  for (const name of names) {
    const { apiKey, sessionCookie } = mock.credentials(name)
    const credentials = { authorization: `Bearer ${apiKey}`, cookie: sessionCookie }
    const call = (operation: OperationId, input: RequestInput = {}) =>
      send(requestFor(operation, input, credentials))
    for (const operation of reads) await call(operation)
    for (let i = 0; i < 4; i++) {
      const id = (await call('createTask', { body: { text: `later ${i}` } }))?.task?.id ?? 'none'
      await call('runTask', { id })
      await call('getTask', { id })
      mock.clock.advance(1_700)
    }
    await call('createKey', { body: { name: 'later' } })
    await call('createDocument', { body: { title: 'Notes', folder_id: 'F' } })
    await call('createLandingPage', { body: {} })
    const creative = await call('generateCreative', { body: { prompt: 'x' } })
    if (creative?.url) await send(new Request(creative.url))
    mock.clock.advance(3_600_000)
    for (const operation of reads) await call(operation)
  }
  return responses
}
