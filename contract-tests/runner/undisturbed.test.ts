/** A contradiction that others may have caused counts if what else they would have caused does not show. */
import { expect, test } from 'vitest'
import { judge } from '../model/index.ts'
import { type Given, historyOf, said } from '../model/testing/history.ts'
import { certain } from './watch.ts'

const whoami = (credits: number) => said('whoami', { credits })
const create = (credits: number, id: string) =>
  said('createTask', { task: { id, text: 'a', status: 'new' }, credits }, { body: { text: 'a' } })

test.each<[string, Given[], string[]]>([
  [
    'said wrong several times counts where all others are explained',
    [whoami(3), create(2, 't1'), whoami(3), create(2, 't2'), whoami(3)],
    ['CREDITS-IN-CREATE', 'CREDITS-IN-CREATE'],
  ],
  ['said wrong once does not', [whoami(3), create(2, 't1'), whoami(3), create(3, 't2'), whoami(3)], []],
  [
    'that moves without our own work does not',
    [whoami(3), create(2, 't1'), whoami(2), create(1, 't2'), whoami(1)],
    [],
  ],
])('a balance %s', (_, given, expected) => {
  const history = historyOf(given)
  const found = certain(judge(history, { lag: 0 }).violations, history, [])
  expect(found.map(({ requirement }) => requirement)).toEqual(expected)
})
