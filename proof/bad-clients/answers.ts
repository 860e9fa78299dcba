/** Clients that accept less than the specification allows. */
import { type BadClient, clientsThatBreak } from './bad-client.ts'
import { type Answer, type Flaw, follows, isRun, misreads } from './flaws.ts'

const isWhoami = ({ url }: Answer) => url.endsWith('/whoami')

const isList = ({ url, method }: Answer) => url.endsWith('/tasks') && method === 'GET'

/** Takes answers for errors that it does not expect. */
const refuses = (isUnexpected: (answer: Answer) => boolean): Flaw =>
  misreads(isUnexpected, () => ({ error: 'unexpected_answer' }), 400)

export const answers: readonly BadClient[] = [
  ...clientsThatBreak('tolerates-variants', 'second-variant', {
    'knows-first-variant': follows(({ response, body }, ask, url) =>
      ask(response.ok ? url.replace(/[^/]+$/, encodeURIComponent(String(body.taskId))) : url),
    ),
    'insists-on-credits': refuses(
      (answer) => isList(answer) && answer.response.ok && !('credits' in answer.body),
    ),
    'insists-on-task-id': refuses(
      (answer) => isRun(answer) && answer.response.ok && !('taskId' in answer.body),
    ),
  }),
  ...clientsThatBreak(
    'tolerates-extras',
    'strict-client',
    {
      'refuses-extras': refuses(
        (answer) =>
          isWhoami(answer) &&
          Object.keys(answer.body).some((name) => !['org', 'plan', 'credits'].includes(name)),
      ),
      'refuses-null-name': refuses(
        (answer) => isWhoami(answer) && Reflect.get(Object(answer.body.org), 'name') === null,
      ),
      'refuses-plan-object': refuses((answer) => isWhoami(answer) && typeof answer.body.plan === 'object'),
      'refuses-201': refuses(({ response }) => response.status === 201),
    },
    { alsoBreaks: 'finishes-work' },
  ),
]
