/** A history that a run wrote is judged again without traffic, with the same exit codes. */
import { beforeAll, expect, test } from 'vitest'
import { sharedFolder } from '../testing/folder.ts'
import { verify } from './testing/service.ts'

const { file, read, write } = sharedFolder()
const history = file('history.ndjson')
beforeAll(async () => {
  expect((await verify(`--only TASK-*,KEY-* --history ${history} --quiet`)).code).toBe(0)
})

test('it passes what passed, and shows no secret', async () => {
  const { code, out } = await verify(`--judge ${history} --verbose`)
  expect(out).toContain('PASSED')
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(code).toBe(0)
  expect(read('history.ndjson')).not.toMatch(/wak_(?:live|test)_|work_agent_session/)
})

test('it fails what contradicts itself, with the events that show it', async () => {
  const [line = ''] = read('history.ndjson')
    .split('\n')
    .filter((one) => one.includes('"createTask"') && one.includes('"status":200'))
  const text: string = JSON.parse(line).body.text
  const damaged = line.replace(JSON.stringify({ text }), JSON.stringify({ text: `${text}!` }))
  const { code, out } = await verify(`--judge ${write('damaged.ndjson', `${damaged}\n`)}`)
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(out).toContain('createTask')
  expect(code).toBe(1)
})
