/** Clients that accept less than the specification allows. */
import type { BadClient } from './bad-client.ts'
import { type Answer, follows, isRun, misreads } from './flaws.ts'

const isWhoami = ({ url }: Answer) => url.endsWith('/whoami')

const isList = ({ url, method }: Answer) => url.endsWith('/tasks') && method === 'GET'

/** Takes answers for errors that it does not expect. */
const refuses = (isUnexpected: (answer: Answer) => boolean): BadClient['flaw'] =>
  misreads(isUnexpected, () => ({ error: 'unexpected_answer' }), 400)

export const answers: readonly BadClient[] = [
  {
    id: 'knows-first-variant',
    flaw: follows(({ response, body }, ask, url) =>
      ask(response.ok ? url.replace(/[^/]+$/, encodeURIComponent(String(body.taskId))) : url),
    ),
    breaks: 'tolerates-variants',
    scenario: 'second-variant',
  },
  {
    id: 'insists-on-credits',
    flaw: refuses((answer) => isList(answer) && answer.response.ok && !('credits' in answer.body)),
    breaks: 'tolerates-variants',
    scenario: 'second-variant',
  },
  {
    id: 'insists-on-task-id',
    flaw: refuses((answer) => isRun(answer) && answer.response.ok && !('taskId' in answer.body)),
    breaks: 'tolerates-variants',
    scenario: 'second-variant',
  },
  {
    id: 'refuses-extras',
    flaw: refuses(
      (answer) =>
        isWhoami(answer) &&
        Object.keys(answer.body).some((name) => !['org', 'plan', 'credits'].includes(name)),
    ),
    breaks: 'tolerates-extras',
    alsoBreaks: 'finishes-work',
    scenario: 'strict-client',
  },
  {
    id: 'refuses-null-name',
    flaw: refuses((answer) => isWhoami(answer) && Reflect.get(Object(answer.body.org), 'name') === null),
    breaks: 'tolerates-extras',
    alsoBreaks: 'finishes-work',
    scenario: 'strict-client',
  },
  {
    id: 'refuses-plan-object',
    flaw: refuses((answer) => isWhoami(answer) && typeof answer.body.plan === 'object'),
    breaks: 'tolerates-extras',
    alsoBreaks: 'finishes-work',
    scenario: 'strict-client',
  },
  {
    id: 'refuses-201',
    flaw: refuses(({ response }) => response.status === 201),
    breaks: 'tolerates-extras',
    alsoBreaks: 'finishes-work',
    scenario: 'strict-client',
  },
]
