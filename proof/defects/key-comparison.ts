/** §5.3: keys that are taken for others that are like them. */

import type { Key } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { admit, after } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Ways to take a key for another one that is like it. */
export const keyComparison: readonly Defect[] = (
  [
    ['prefix', 'A key is compared only as far as it goes.', (sent, kept) => kept.startsWith(sent)],
    ['length', 'What follows after a key is not looked at.', (sent, kept) => sent.startsWith(kept)],
    [
      'case',
      'Keys are compared without regard to case.',
      (sent, kept) => sent.toLowerCase() === kept.toLowerCase(),
    ],
    [
      'last-letter',
      'The last letter of a key is not compared.',
      (sent, kept) => sent.slice(0, -1) === kept.slice(0, -1),
    ],
  ] satisfies [string, string, (sent: string, kept: string) => boolean][]
).map(
  ([name, title, same]): Defect => ({
    id: `key-whole-${name}`,
    title,
    breaks: ['KEY-WHOLE'],
    mutate() {
      const kept = new Map<string, Key>()
      return combine(
        after('createKey', ({ org }) => {
          const [key] = org.keys.newest(1)
          if (key) kept.set(key.secret, key)
        }),
        admit('whoami', (request, tenants) => {
          const sent = request.header('authorization')?.slice('Bearer '.length) ?? ''
          const [secret] = [...kept.keys()].filter((one) => !kept.get(one)?.deleted && same(sent, one))
          return sent.length > 20 && secret ? tenants.byKey(secret) : undefined
        }),
      )
    },
  }),
)
