/** Documents and their filters (§4 Documents). */
import { expect, test } from 'vitest'
import { type Client, clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

const titles = async ({ call }: Client, query: Record<string, string> = {}) =>
  (await call('listDocuments', { query })).body.items.map(({ title }) => title)

async function withDocuments() {
  const client = clientOf(frozenMock())
  for (const [title, folder_id] of [['loose'], ['in A', 'A'], ['in B', 'B']] as const) {
    await client.call('createDocument', { body: { title, ...(folder_id && { folder_id }) } })
  }
  return client
}

test('a document preserves every character and field', async () => {
  const { call } = clientOf(frozenMock())
  const body = {
    title: ' Ünïcode \u{1f4c4}\u0000 ',
    kind: 'anything',
    content_md: '# Title\r\n\n  text\t\u2029',
    summary: '',
    folder_id: 'folder/1?#%',
  }
  const { item } = (await call('createDocument', { body })).body
  expect(item).toMatchObject(body)
  expect((await call('getDocument', { id: item.id })).body.item).toEqual(item)
})

test('omitted fields are null', async () => {
  const { call } = clientOf(frozenMock())
  const { item } = (await call('createDocument', { body: { title: 'Bare' } })).body
  expect(item).toMatchObject({ kind: null, content_md: null, summary: null, folder_id: null })
})

test('without a query, only documents outside folders are listed', async () => {
  const listed = await titles(await withDocuments())
  expect(listed[0]).toBe('loose')
  expect(listed).not.toContain('in A')
})

test('a folder filter returns only documents in it', async () => {
  const client = await withDocuments()
  expect(await titles(client, { folder_id: 'A' })).toEqual(['in A'])
  expect(await titles(client, { folder_id: 'unknown' })).toEqual([])
})

test('all=1 lists the documents of every folder, newest first', async () => {
  const client = await withDocuments()
  expect((await titles(client, { all: '1' })).slice(0, 3)).toEqual(['in B', 'in A', 'loose'])
  expect((await titles(client, { all: '1', folder_id: 'A' })).slice(0, 3)).toEqual(['in B', 'in A', 'loose'])
})

test('list items omit the content', async () => {
  const { call } = await withDocuments()
  const [item] = (await call('listDocuments')).body.items
  expect(item).not.toHaveProperty('content_md')
})

test('any other value of all is invalid', async () => {
  const { call } = clientOf(frozenMock())
  for (const all of ['0', '', 'true'])
    expect((await call('listDocuments', { query: { all } })).status).toBe(400)
})
