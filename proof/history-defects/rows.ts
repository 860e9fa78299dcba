/** Named history defects that are a trigger and an effect; their sentences follow from these. */
import { effectOf } from './effects.ts'
import type { HistoryDefect } from './history-defect.ts'
import { isLiving, made } from './memory.ts'
import { type Effect, isTaken, mutationOf, type Occasion, type Trigger } from './occasion.ts'
import {
  after,
  afterRefusal,
  atOnce,
  every,
  happening,
  inRow,
  meanwhile,
  nthOfOne,
  older,
  when,
} from './triggers.ts'

type Row = readonly [
  id: string,
  trigger: Trigger,
  effect: string | Effect,
  plainRun?: HistoryDefect['plainRun'],
]

const rows = (given: readonly Row[]) =>
  given.map(([id, trigger, named, plainRun]): HistoryDefect => {
    const effect = typeof named === 'string' ? effectOf(named) : named
    return {
      id,
      title: `${effect.says}, ${trigger.says}.`,
      plainRun,
      mutate: () => mutationOf(trigger, effect),
    }
  })

/** An effect on fewer occasions. */
const only = (id: string, is: (one: Occasion) => boolean): Effect => {
  const effect = effectOf(id)
  return { ...effect, of: (one) => (effect.of ?? isTaken)(one) && is(one) }
}
const isEqual = ([one, other]: readonly unknown[]) => one === other
const sizeOf = ({ answer }: Occasion, name = 'items') =>
  (answer as Record<string, unknown[]>)[name]?.length ?? 0
const living = ({ org }: Occasion) => made(org).filter(isLiving).length
const isAll = ({ call }: Occasion) => Object(call?.query).all === '1'
const always = when(() => true, 'whenever that is done')

const filed = only('document-stored-empty', ({ org }) => Boolean(org.documents.newest(1)[0]?.folder_id))
const sameName = only('key-shares-secret', ({ org }) => isEqual(made(org).map(({ name }) => name)))
const sameTitle = only('document-stored-with-last-content', ({ org }) =>
  isEqual(org.documents.newest(2).map(({ title }) => title)),
)
const sameButCase = only('document-stored-with-last-content', ({ org }) => {
  const titles = org.documents.newest(2).map(({ title }) => title)
  return !isEqual(titles) && isEqual(titles.map((title) => title.toLowerCase()))
})
const longTitle = only(
  'document-stored-empty',
  ({ org }) => (org.documents.newest(1)[0]?.title.length ?? 0) > 255,
)
const sameText = only('task-answered-with-last-id', ({ org }) =>
  isEqual(org.tasks.newest(2).map(({ text }) => text)),
)

export const oftenRows = rows([
  ['refund-fifth-lost', every(5), 'refund-lost'],
  ['refund-sixth-twice', every(6), 'refund-twice'],
  ['rerun-second-costs-two', nthOfOne(3, true), 'runTask-costs-two'],
  ['rerun-third-free', nthOfOne(4, false), 'runTask-free'],
  ['rerun-third-no-credits', nthOfOne(4, true), 'run-refused'],
  ['creative-fourth-costs-two', every(4), 'generateCreative-costs-two'],
  ['creative-third-failure-kept', every(3), 'creative-failure-kept'],
  ['mark-read-ninth-ignored', every(9), 'mark-ignored'],
  ['task-twentieth-text-of-last', inRow(20), 'task-stored-with-last-text'],
  ['doc-ninth-filed-content-lost', every(9), filed],
  ['key-seventh-delete-lost', every(7), 'key-deletion-lost'],
])

export const manyRows = rows([
  ['tasks-newest-unlisted', when((one) => sizeOf(one) > 150, 'beyond 150'), 'tasks-newest-unlisted'],
  ['tasks-listed-twice', when((one) => sizeOf(one) > 160, 'beyond 160'), 'tasks-newest-twice'],
  [
    'docs-newest-unlisted',
    when((one) => isAll(one) && sizeOf(one) > 120, 'beyond 120 in all'),
    'documents-newest-unlisted',
  ],
  ['keys-newest-unlisted', when((one) => sizeOf(one, 'keys') > 8, 'beyond 8'), 'keys-newest-unlisted'],
  ['keys-oldest-dies', when((one) => living(one) > 7, 'beyond 7'), 'key-replaces-oldest'],
  ['keys-ninth-dead', when((one) => living(one) > 8, 'beyond 8'), 'key-dead-from-start'],
  [
    'waiting-third-costs-two',
    when(({ org }) => org.agent.load > 3, 'behind two that wait'),
    'runTask-costs-two',
  ],
  [
    'waiting-third-unrefunded',
    when(({ org }) => org.agent.load >= 2, 'while two others wait'),
    'refund-lost',
  ],
  [
    'rich-runs-cost-two',
    when(({ org }) => org.ledger.balance > 2_147, 'beyond 2,147 credits'),
    'runTask-costs-two',
  ],
  ['doc-long-title-content-lost', when(() => true, 'with a title beyond 255 characters'), longTitle],
  [
    'last-credit-rerun-refused',
    when(
      ({ org, run }) => run?.ended === true && org.ledger.balance === 1,
      'for the last one, if the task ran before',
    ),
    'run-refused',
  ],
])

export const betweenRows = rows([
  ['after-402-costs-two', after(happening('run-402'), 1), 'runTask-costs-two'],
  ['after-404-costs-two', after(happening('run-404'), 1), 'runTask-costs-two'],
  [
    'failure-refunds-waiting',
    when(({ org }) => org.agent.load > 0, 'while another one waits'),
    'refund-twice',
  ],
  ['creative-during-run-unrefunded', meanwhile(happening('creative')), 'refund-lost'],
  ['creative-after-failed-creative-free', after(happening('creative-failed'), 1), 'generateCreative-free'],
  ['doc-same-but-case-content-kept', when(() => true, 'of the same title but for its case'), sameButCase],
  ['key-delete-clears-unread', always, 'key-deletion-marks-all'],
  ['task-list-after-401-empty', afterRefusal(401, undefined, 2), 'tasks-empty'],
])

export const atOnceRows = rows([
  ['crowd-third-free', atOnce(2), 'runTask-free'],
  ['crowd-fourth-costs-two', atOnce(3), 'runTask-costs-two'],
  ['crowd-creatives-charged-once', atOnce(1), 'generateCreative-free'],
  ['crowd-keys-same-secret', atOnce(1), sameName],
  ['crowd-docs-namesakes-share', atOnce(1), sameTitle],
  ['crowd-same-text-one-task', atOnce(1), sameText],
])

export const longAgoRows = rows([
  ['task-text-archived', older(3_000), 'task-text-cut', ['RUN-KEEPS-TASK']],
  ['doc-content-expires', older(2_500), 'document-read-empty'],
])

export const whomRows = rows([['other-mark-read-lowers-unread', always, 'mark-marks-elsewhere']])
