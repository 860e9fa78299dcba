/** Runs that are over at once or late, find the agent busy, or happen once only (§3). */
import { fail } from '../core/failure.ts'
import { otherThan } from '../handlers/respond.ts'
import { type HandleQuirk, pick, type Quirk } from './quirk.ts'

/** Changes the length of a run, ms, where time decides it. */
const length = (id: string, title: string, change: (usual: number) => number, share?: number): Quirk => {
  const runTask: HandleQuirk = (call, usual) => {
    const { duration_ms, progress } = call.org.runPolicy
    return usual(progress === 'time' ? { ...call, runOverrides: { duration_ms: change(duration_ms) } } : call)
  }
  return {
    id,
    title,
    allowed: '#asynchronous-work: a run may take any time, or be over at once.',
    group: 'run length',
    scope: 'run',
    ...(share ? { share } : {}),
    handle: { runTask },
  }
}

/** How long the agent is busy with other work, ms. */
const otherWork = [150, 800, 1_500] as const

export const runs: readonly Quirk[] = [
  length('runs-at-once', 'Runs end at once.', () => 0, 1 / 3),
  length('runs-short', 'A run takes half of the usual time.', (usual) => usual / 2, 1 / 6),
  length('runs-double', 'A run takes twice as long as usual.', (usual) => usual * 2, 1 / 6),
  length('runs-fourfold', 'A run takes four times as long as usual.', (usual) => usual * 4, 1 / 6),
  length('runs-slow', 'A run takes 45 seconds.', () => 45_000),
  {
    id: 'runs-busy-first',
    title:
      'The first run of a task finds the agent busy with other work; it is accepted, and starts by itself.',
    allowed: '#busy-answer: the agent may be occupied elsewhere.',
    scope: 'run',
    share: 0.25,
    handle: {
      runTask(call, usual, random) {
        const { org, now } = call
        if (org.tasks.get(call.id)?.run || !org.ledger.solvent) return usual(call)
        org.agent.busyUntil(now + pick(random, otherWork))
        return usual({ ...call })
      },
    },
  },
  {
    id: 'run-again-conflict',
    title: 'A finished task does not run again: 409 invalid_request.',
    allowed: '#run-with-credit: another run may be refused.',
    group: 'run again',
    share: 0.3,
    handle: {
      runTask: (call, usual) =>
        call.org.tasks.get(call.id)?.run?.ended
          ? fail('conflict', 'This task has run; it runs once.')
          : usual(call),
    },
  },
]

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
