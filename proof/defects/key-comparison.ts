/** §5.3: keys that are accepted because they resemble others. */

import type { Key } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { after, authorize } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Ways to confuse a key with a similar one. */
export const keyComparison: readonly Defect[] = (
  [
    ['prefix', 'The beginning of a key is accepted as the whole key.', (sent, kept) => kept.startsWith(sent)],
    [
      'length',
      'A key with additional characters at its end is accepted.',
      (sent, kept) => sent.startsWith(kept),
    ],
    [
      'case',
      'Keys are compared case-insensitively.',
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
        authorize('whoami', (request, tenants) => {
          const sent = request.header('authorization')?.slice('Bearer '.length) ?? ''
          const [secret] = [...kept.keys()].filter((one) => !kept.get(one)?.deleted && same(sent, one))
          return sent.length > 20 && secret ? tenants.byKey(secret) : undefined
        }),
      )
    },
  }),
)
