/** The command that repeats a run works where this one was started. */
import { expect, test } from 'vitest'
import { startedBy } from './traces.ts'

test.each([
  ['a script of a clone', '/clone/cli/main.ts', { npm_lifecycle_event: 'check' }, 'npm run check --'],
  ['its source', '/clone/cli/main.ts', {}, 'node cli/main.ts check'],
  ['its bundle', '/clone/dist/bin.js', {}, 'node dist/bin.js check'],
  ['npx', '/project/node_modules/.bin/work-agent-contract', {}, 'npx work-agent-contract check'],
  [
    'a script of a project',
    '/project/node_modules/work-agent-contract/dist/bin.js',
    { npm_lifecycle_event: 'check' },
    'npx work-agent-contract check',
  ],
  ['a command of the machine', '/usr/local/bin/work-agent-contract', {}, 'work-agent-contract check'],
])('%s', (_, file, env, start) => {
  const cwd = () => '/clone'
  expect(startedBy({ argv: ['/usr/bin/node', file], env, cwd }).join(' ')).toBe(start)
})
