/** Operations in the other variant, or with the fields of both (§4 Tasks). */
import { otherThan } from '../handlers/respond.ts'
import type { Quirk } from './quirk.ts'

const operations = ['listTasks', 'createTask', 'runTask'] as const

export const variantQuirks: readonly Quirk[] = [
  {
    id: 'variants-superset',
    title: 'Answers have the fields of both variants.',
    allowed: '#variants: the fields of both are legitimate.',
    group: 'variant',
    variants: () => ({ listTasks: 'both', createTask: 'both', runTask: 'both' }),
  },
  ...operations.flatMap((operation): Quirk[] => [
    {
      id: operation === 'listTasks' ? 'variants-mixed' : `variants-mixed-${operation}`,
      title: `${operation} follows the other variant than the rest.`,
      allowed: '#variants: different variants on different routes are a SHOULD finding.',
      group: `variant of ${operation}`,
      share: 1 / 3,
      variants: (usual) => ({ [operation]: otherThan(usual) }),
    },
    {
      id: `variants-both-${operation}`,
      title: `${operation} has the fields of both variants.`,
      allowed: '#variants: the fields of both are legitimate.',
      group: `variant of ${operation}`,
      share: 1 / 3,
      variants: () => ({ [operation]: 'both' }),
    },
  ]),
]
