/** Run progress: runs end by time, immediately or after a number of polls. */
import { describe, expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

const hour = 3_600_000

describe('run progress', () => {
  test('immediate: a run has ended when the response is sent', async () => {
    const ada = clientOf(frozenMock({ runProgress: 'immediate' }), 'ada')
    const { body } = await ada.call('runTask', { id: await ada.newTask() })
    expect(body).toMatchObject({ status: 'completed', finished: true })
  })

  test('polls: a run ends at the Nth poll, whatever the time', async () => {
    const mock = frozenMock({ runProgress: 'polls:3' })
    const ada = clientOf(mock, 'ada')
    const id = await ada.newTask()
    await ada.poll(id)
    await ada.call('runTask', { id })
    mock.clock.advance(hour)
    const seen = []
    for (let i = 0; i < 4; i++) seen.push((await ada.poll(id)).status)
    expect(seen).toEqual(['in_progress', 'in_progress', 'completed', 'completed'])
  })

  test('polls: polling only a queued run finishes the active run and then the queued one', async () => {
    const ada = clientOf(frozenMock({ runProgress: 'polls:2' }), 'ada')
    const ids = [await ada.newTask(), await ada.newTask()]
    for (const id of ids) await ada.call('runTask', { id })
    const seen = []
    for (let i = 0; i < 5; i++) seen.push((await ada.poll(String(ids[1]))).status)
    expect(seen).toEqual(['queued', 'in_progress', 'in_progress', 'completed', 'completed'])
  })

  test('in a key applies to its organization alone', async () => {
    const mock = frozenMock()
    const quick = clientOf(mock, 'ada.run-progress=polls:1')
    const id = await quick.newTask()
    await quick.call('runTask', { id })
    expect((await quick.poll(id)).finished).toBe(true)
    const usual = clientOf(mock, 'ada')
    const other = await usual.newTask()
    await usual.call('runTask', { id: other })
    expect((await usual.poll(other)).finished).toBe(false)
  })
})
