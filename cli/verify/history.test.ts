/** `verify --judge`: a history gives the verdict of the run that wrote it. */
import { expect, test } from 'vitest'
import { createSharedFolder } from '../testing/folder.ts'
import { runVerifyInProcess } from './testing/service.ts'

const { file, write, ...shared } = createSharedFolder()
const history = file('history.ndjson')

test('a history is judged again without traffic: it passes what passed, and shows no secret', async () => {
  expect((await runVerifyInProcess(`--only TASK-*,KEY-* --history ${history} --quiet`)).code).toBe(0)
  const { code, out } = await runVerifyInProcess(`--judge ${history} --verbose`)
  expect(out).toContain('PASSED')
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(code).toBe(0)
  expect(shared.read('history.ndjson')).not.toMatch(/wak_(?:live|test)_|work_agent_session/)
})

test('a history fails for what contradicts itself, with the events that show it', async () => {
  const [line = ''] = shared
    .read('history.ndjson')
    .split('\n')
    .filter((one) => one.includes('"createTask"') && one.includes('"status":200'))
  const text: string = JSON.parse(line).body.text
  const damaged = line.replace(JSON.stringify({ text }), JSON.stringify({ text: `${text}!` }))
  const { code, out } = await runVerifyInProcess(`--judge ${write('damaged.ndjson', `${damaged}\n`)}`)
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(out).toContain('createTask')
  expect(code).toBe(1)
})
