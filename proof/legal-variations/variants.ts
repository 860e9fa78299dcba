/** Which of the two descriptions an answer follows. These stand next to the mock: others see what they make. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after } from '../mutations/rules.ts'
import type { Variation } from './variation.ts'

/** Gives answers the fields of both variants, which are otherwise cut down to one. */
function superset(): Mutation {
  const keep = <O extends OperationId>(operation: O) =>
    after(operation, (_, outcome) => {
      if (!(outcome instanceof Failure)) Object.assign(outcome, { both: { ...outcome } })
    })
  return combine(
    keep('listTasks'),
    keep('createTask'),
    keep('runTask'),
    rewriteSuccess(
      (reply) => {
        reply.body = (reply.body as Fields).both
      },
      'listTasks',
      'createTask',
      'runTask',
    ),
  )
}

export const variants: readonly Variation[] = [
  {
    id: 'variants-superset',
    title: 'Answers have the fields of both variants.',
    allowed: '#variants: the fields of both are legitimate.',
    group: 'variant',
    mutate: superset,
  },
  {
    id: 'variants-mixed',
    title: 'Task creation follows the other description than the rest.',
    allowed: '#variants: different variants on different routes are a SHOULD finding.',
    warns: ['VARIANT-CONSISTENT'],
    group: 'variant',
    mutate: () => ({
      middleware({ request, operation, mock }, next) {
        if (operation !== 'listTasks') return next(request)
        const headers = new Headers(request.headers)
        headers.set('prefer', `variant=${mock.settings.variant === 'first' ? 'second' : 'first'}`)
        return next(new Request(request, { headers }))
      },
    }),
  },
]
