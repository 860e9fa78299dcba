/** A printed command works where this one was started. */
import { expect, test } from 'vitest'
import { invocationOf } from './invocation.ts'

test.each([
  ['a script of a clone', '/clone/cli/main.ts', { npm_lifecycle_event: 'check' }, 'npm run check --'],
  ['its source', '/clone/cli/main.ts', {}, 'node cli/main.ts check'],
  ['its bundle', '/clone/dist/bin.js', {}, 'node dist/bin.js check'],
  ['npx', '/project/node_modules/.bin/work-agent-contract', {}, 'npx --no-install work-agent-contract check'],
  [
    'a script of a project',
    '/project/node_modules/work-agent-contract/dist/bin.js',
    { npm_lifecycle_event: 'check' },
    'npx --no-install work-agent-contract check',
  ],
  ['a command of the machine', '/usr/local/bin/work-agent-contract', {}, 'work-agent-contract check'],
])('%s', (_, file, env, start) => {
  const cwd = () => '/clone'
  expect(invocationOf('check', { argv: ['/usr/bin/node', file], env, cwd }).join(' ')).toBe(start)
})
