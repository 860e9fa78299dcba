/** Named history defects: a trigger and an effect each, whose sentence follows from these. */
import type { Key } from '#mocks/core/resources.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Fields } from '../mutations/reply.ts'
import { handle, reject } from '../mutations/rules.ts'
import { effects } from './effects.ts'
import type { HistoryDefect } from './generated.ts'
import { isLiving, made, perOne } from './memory.ts'
import { isAll, namedEffects, namesakes, sameText, tasksIn } from './named-effects.ts'
import { type Effect, isTaken, mutationOf, type Occasion, type Trigger } from './occasion.ts'
import {
  after,
  afterRefusal,
  answered,
  askedElsewhere,
  atOnce,
  both,
  byCreatedKey,
  byCreator,
  crowded,
  did,
  every,
  happening,
  inRow,
  marked,
  meanwhile,
  missedTwice,
  moreThan,
  narrowed,
  nthOfOne,
  older,
  ranBefore,
  rerunAfter,
  since,
  when,
  whileRunning,
} from './triggers.ts'

/** @throws Error if there is none. */
function effectOf(id: string): Effect {
  const effect = [...effects, ...namedEffects].find((one) => one.id === id)
  if (!effect) throw new Error(`no effect ${id}`)
  return effect
}

type Row =
  | readonly [trigger: Trigger, effect: string | Effect, plainRun?: HistoryDefect['plainRun']]
  | Omit<HistoryDefect, 'id'>

function defectOf(trigger: Trigger, named: string | Effect, plainRun?: HistoryDefect['plainRun']) {
  const effect = typeof named === 'string' ? effectOf(named) : named
  return { title: `${effect.says}, ${trigger.says}.`, plainRun, mutate: () => mutationOf(trigger, effect) }
}

const defectsOf = (rows: Readonly<Record<string, Row>>) =>
  Object.entries(rows).map(([id, row]): HistoryDefect => {
    return { id, ...('mutate' in row ? row : defectOf(...row)) }
  })

/** An effect on fewer occasions. */
const only = (id: string, is: (one: Occasion) => boolean): Effect => {
  const effect = effectOf(id)
  return { ...effect, of: (one) => (effect.of ?? isTaken)(one) && is(one) }
}
const isEqual = ([one, other]: readonly unknown[]) => one === other
const sizeOf = ({ answer }: Occasion, name = 'items') =>
  (answer as Record<string, unknown[]>)[name]?.length ?? 0
const living = ({ org }: Occasion) => made(org).filter(isLiving)

/** A key that is refused; `is`: whether one that the API has made is, of which some uses are known. */
const refusing = (is: (uses: { n: number; last: number }, now: number) => boolean): Mutation => {
  const known = perOne<{ n: number; last: number }, Key>(() => ({ n: 0, last: Number.POSITIVE_INFINITY }))
  return reject((_, { org, key }) => {
    if (!key || org.keys.all()[0] === key) return false
    const uses = known(key)
    uses.n++
    const isRefused = is(uses, org.clock.now())
    uses.last = org.clock.now()
    return isRefused
  })
}

const always = when(() => true, 'whenever that is done')
/** Whether there are three or more at once. */
const hasMany = ({ place }: Occasion) => place.size >= 3
const hasLed = (one: Occasion) => one.place.rank > 0

const filed = only('document-stored-empty', ({ org }) => Boolean(org.documents.newest(1)[0]?.folder_id))
const sameName = only('key-shares-secret', ({ org }) => isEqual(made(org).map(({ name }) => name)))
const titles = ({ org }: Occasion) => org.documents.newest(2).map(({ title }) => title)
const sameTitle = only('document-stored-with-last-content', (one) => isEqual(titles(one)))
const sameButCase = only(
  'document-stored-with-last-content',
  (one) => !isEqual(titles(one)) && isEqual(titles(one).map((title) => title.toLowerCase())),
)
const longTitle = only(
  'document-stored-empty',
  ({ org }) => (org.documents.newest(1)[0]?.title.length ?? 0) > 255,
)
const lastText = only('task-answered-with-last-id', ({ org }) =>
  isEqual(org.tasks.newest(2).map(({ text }) => text)),
)

/** At once with a run by a created key. */
const besideRunOfCreatedKey: Trigger = {
  ...atOnce(0, 'runTask'),
  says: 'at once with a run by a created key',
  ofEverybody: true,
  create() {
    const groups = new WeakSet<object>()
    return {
      fires: ({ place }) => groups.has(place.operations),
      note({ deed, key, place }) {
        if (deed === 'runTask' && key?.isFirst === false) groups.add(place.operations)
      },
    }
  },
}

/** A document whose title was refused with other fields before gets the id of the document before it. */
function corrected(): Mutation {
  const refused = new Set<unknown>()
  const last = new Map<string | null, unknown>()
  return {
    async middleware({ request, operation }, next) {
      if (operation !== 'createDocument') return next(request)
      const caller = request.headers.get('authorization')
      const title = /"title":"([^"]*)"/.exec(await request.clone().text())?.[1]
      const response = await next(request)
      if ((response.status === 400 || response.status === 422) && title) refused.add(title)
      if (response.status >= 300) return response
      const body = (await response.json()) as { item: Fields }
      if (refused.delete(title) && last.has(caller)) body.item.id = last.get(caller)
      last.set(caller, body.item.id)
      return Response.json(body, { status: response.status })
    },
  }
}

/** Documents of every fifth folder are filed in the folder before it. */
function merged(): Mutation {
  const folders = perOne(() => [] as string[])
  return handle('createDocument', (call, usual) => {
    const { folder_id } = call.body
    const known = folders(call.org)
    if (!folder_id) return usual(call)
    if (!known.includes(folder_id)) known.push(folder_id)
    const at = known.indexOf(folder_id)
    return usual({ ...call, body: { ...call.body, folder_id: known[at % 5 === 4 ? at - 1 : at] as string } })
  })
}

/** Every named history defect, by what a history must contain for it to show. */
export const historyDefects: Readonly<Record<Trigger['kind'], readonly HistoryDefect[]>> = {
  often: defectsOf({
    'refund-fifth-lost': [every(5), 'refund-lost'],
    'refund-sixth-twice': [every(6), 'refund-twice'],
    'refund-same-task-again': [rerunAfter('failed'), 'refund-lost', ['CREDITS-REFUND-AGAIN']],
    'rerun-second-costs-two': [nthOfOne(3, true), 'runTask-costs-two'],
    'rerun-third-free': [nthOfOne(4, false), 'runTask-free'],
    'rerun-third-no-credits': [nthOfOne(4, true), 'run-refused'],
    'rerun-second-never-finished': [ranBefore(3, 0), 'task-unfinished'],
    'no-credits-fifth-time-runs': [nthOfOne(5, false), 'run-on-credit'],
    'creative-fourth-costs-two': [every(4), 'generateCreative-costs-two'],
    'creative-third-failure-kept': [every(3), 'creative-failure-kept'],
    'mark-read-ninth-ignored': [every(9), 'mark-ignored'],
    'mark-read-third-time-counts': [nthOfOne(3, true), 'mark-counted-again'],
    'task-twentieth-text-of-last': [inRow(20), 'task-stored-with-last-text'],
    'task-fifth-namesake-is-first': [
      when((one) => sameText(one).length === 5, 'if it is the fifth'),
      'task-answered-with-first-id',
      ['TASK-UNIQUE'],
    ],
    'doc-ninth-filed-content-lost': [every(9), filed],
    'doc-third-namesake-replaces': [
      when((one) => namesakes(one).length >= 3, 'from the third on'),
      'document-overwrites-first',
    ],
    'key-seventh-delete-lost': [every(7), 'key-deletion-lost'],
    'key-eighth-unlisted': [every(8), 'key-unlisted'],
    'key-use-limited': {
      title: 'A created key is accepted 25 times, then no more.',
      mutate: () => refusing(({ n }) => n > 25),
    },
  }),
  many: defectsOf({
    'tasks-newest-unlisted': [when((one) => sizeOf(one) > 150, 'beyond 150'), 'tasks-newest-unlisted'],
    'tasks-listed-twice': [when((one) => sizeOf(one) > 160, 'beyond 160'), 'tasks-newest-twice'],
    'tasks-neighbour-text': [when((one) => sizeOf(one) > 170, 'beyond 170'), 'tasks-text-mixed'],
    'task-index-collides': [always, 'task-text-of-64th'],
    'run-tasks-list-counts-one-less': [
      when((one) => tasksIn(one).filter(({ run }) => run).length > 30, 'where more than 30 have run'),
      'tasks-credits',
    ],
    'docs-newest-unlisted': [
      when((one) => isAll(one) && sizeOf(one) > 120, 'beyond 120 in all'),
      'documents-newest-unlisted',
    ],
    'docs-full-folder-hides-newest': [always, 'folder-hides-newest'],
    'keys-newest-unlisted': [when((one) => sizeOf(one, 'keys') > 8, 'beyond 8'), 'keys-newest-unlisted'],
    'keys-oldest-dies': [when((one) => living(one).length > 7, 'beyond 7'), 'key-replaces-oldest'],
    'keys-ninth-dead': [when((one) => living(one).length > 8, 'beyond 8'), 'key-dead-from-start'],
    'unread-stops-at-twelve': [moreThan(12, 'unread notifications'), 'unread-one-less'],
    'mark-read-takes-oldest-unread': [
      when(({ org }) => org.notifications.unread > 15, 'while more than 15 are unread'),
      'mark-takes-oldest',
    ],
    'waiting-third-costs-two': [
      when(({ org }) => org.agent.load > 3, 'behind two that wait'),
      'runTask-costs-two',
    ],
    'waiting-third-unrefunded': [
      when(({ org }) => org.agent.load >= 2, 'while two others wait'),
      'refund-lost',
    ],
    'waiting-third-never-starts': [
      when(({ org }) => org.agent.load > 2, 'behind two that wait'),
      'run-never-starts',
    ],
    'rich-runs-cost-two': [
      when(({ org }) => org.ledger.balance > 2_147, 'beyond 2,147 credits'),
      'runTask-costs-two',
    ],
    'balance-shown-capped': [always, 'balance-capped'],
    'doc-long-title-content-lost': [
      when(() => true, 'with a title beyond 255 characters'),
      longTitle,
      ['DOC-KEEPS-CONTENT_MD'],
    ],
    'last-credit-rerun-refused': [
      when(
        ({ org, run }) => run?.ended === true && org.ledger.balance === 1,
        'for the last one, if the task ran before',
      ),
      'run-refused',
    ],
    'docs-fifth-folder-merged': {
      title: 'Documents of every fifth folder are filed in the folder before it.',
      mutate: merged,
    },
  }),
  between: defectsOf({
    'after-402-costs-two': [after(happening('run-402'), 1), 'runTask-costs-two'],
    'after-404-costs-two': [after(happening('run-404'), 1), 'runTask-costs-two'],
    'rerun-after-failure-refunded': [rerunAfter('failed'), 'success-refunded'],
    'rerun-failure-after-success-kept': [rerunAfter('completed'), 'refund-lost'],
    'refused-rerun-refunded-at-end': [
      marked(happening('run-conflict').is, 'if its task was asked to run again meanwhile'),
      'success-refunded',
    ],
    'rerun-free-after-read-failure': [
      marked(
        ({ deed, run }) => deed === 'getTask' && run?.ended === true && run.outcome === 'failed',
        'if the task was read after its run failed',
      ),
      'runTask-free',
      ['CREDITS-REFUND-AGAIN'],
    ],
    'created-during-run-gets-its-text': [whileRunning(2), 'task-stored-with-going-text'],
    'refused-task-during-run-loses-next': [
      afterRefusal(400, 'createTask', 1),
      only('createTask-lost', ({ org }) => org.agent.load > 0),
    ],
    'failure-refunds-waiting': [
      when(({ org }) => org.agent.load > 0, 'while another one waits'),
      'refund-twice',
    ],
    'creative-during-run-unrefunded': [meanwhile(happening('creative')), 'refund-lost'],
    'creative-after-failed-creative-free': [after(happening('creative-failed'), 1), 'generateCreative-free'],
    'mark-read-during-run-undone': [whileRunning(1), 'mark-undone'],
    'doc-folder-sticks': [always, 'document-filed-as-listed'],
    'doc-namesake-shares-content': [always, 'document-shares-content'],
    'doc-read-after-missing-read': [missedTwice('getDocument'), 'document-read-as-newest'],
    'doc-same-but-case-content-kept': [when(() => true, 'of the same title but for its case'), sameButCase],
    'page-second-unlisted': [always, 'pages-namesakes-unlisted'],
    'key-delete-revives-last-but-one': [
      when(
        (one) => living(one).length >= 3 && living(one).at(-1)?.id === one.id,
        'if it is the oldest of several',
      ),
      'key-deletion-revives',
    ],
    'key-delete-hits-newest': [
      when(
        ({ org, id }) =>
          made(org)
            .slice(
              0,
              Math.max(
                0,
                made(org).findIndex((key) => key.id === id),
              ),
            )
            .filter(isLiving).length >= 3,
        'if three newer ones exist',
      ),
      'key-deletion-takes-newest',
    ],
    'key-unknown-delete-hits-newest': [every(2), 'unknown-deletion-takes-newest'],
    'key-namesake-revives': [always, 'key-revives-namesake', ['KEY-STAYS-DEAD']],
    'key-renamed-by-next': [after(happening('key-deleted'), 1), 'key-renames-last', ['KEY-NAME']],
    'key-delete-clears-unread': [always, 'key-deletion-marks-all'],
    'task-list-after-401-empty': [afterRefusal(401, undefined, 2), 'tasks-empty'],
    'doc-corrected-gets-last-id': {
      title:
        'A document whose title was refused with other fields before gets the id of the document before it.',
      mutate: corrected,
    },
  }),
  'at once': defectsOf({
    'crowd-third-free': [atOnce(2), 'runTask-free'],
    'crowd-fourth-costs-two': [atOnce(3), 'runTask-costs-two'],
    'crowd-reruns-overdraw': [
      crowded(['runTask'], (one) => hasLed(one) && one.run?.ended === true, 'if it is a second one at once'),
      'run-on-credit',
    ],
    'crowd-same-task-charged-each': [
      crowded(['runTask'], hasMany, 'if there are three at once'),
      'refused-run-charged',
    ],
    'crowd-refused-run-charged': [
      {
        ...after(
          did(
            'runTask',
            'crowd-402',
            'one of three at once was refused with 402',
            (one) => hasMany(one) && answered('no_credits')(one),
          ),
          1,
        ),
        gathers: () => ['runTask'],
      },
      only('runTask-costs-two', (one) => !hasMany(one)),
    ],
    'crowd-second-refunded-at-end': [
      {
        ...marked(
          (one) => one.deed === 'runTask' && isTaken(one) && hasMany(one) && one.place.rank === 1,
          'if it was the second of three at once',
        ),
        gathers: () => ['runTask'],
      },
      'success-refunded',
    ],
    'crowd-creatives-charged-once': [atOnce(1), 'generateCreative-free'],
    'crowd-run-and-creative-overdraw': [
      crowded(
        ['runTask', 'generateCreative'],
        ({ place }) => place.operations.has('runTask'),
        'at once with a run',
      ),
      'creative-on-credit',
    ],
    'crowd-keys-same-secret': [atOnce(1), sameName],
    'crowd-key-delete-lost': [
      crowded(
        ['deleteKey'],
        ({ place }) => place.size > 1 && place.rank === 0,
        'if it is the first of several at once',
      ),
      'key-deletion-lost',
    ],
    'crowd-key-made-dead': [
      crowded(['createKey', 'deleteKey'], hasLed, 'at once with others'),
      'key-deletion-takes-newest',
    ],
    'crowd-marks-counted-once': [atOnce(1), 'mark-uncounted'],
    'crowd-same-mark-counted-each': [
      atOnce(2),
      only('mark-counted-again', ({ org, id }) => org.notifications.get(id)?.read === true),
    ],
    'crowd-docs-namesakes-share': [atOnce(1), sameTitle],
    'crowd-documents-cross': [{ ...atOnce(0), ofEverybody: true }, 'document-crossed'],
    'crowd-organizations-swapped': [{ ...atOnce(0), ofEverybody: true }, 'balance-of-first'],
    'crowd-same-text-one-task': [atOnce(1), lastText, ['TASK-UNIQUE']],
    'crowd-read-and-run-mixed': [atOnce(1, 'runTask'), 'task-text-of-going'],
    'crowd-task-lost': [
      crowded(
        ['createTask', 'generateCreative', 'runTask'],
        ({ place }) => place.operations.size === 3,
        'at once with a run and a creative',
      ),
      'createTask-lost',
    ],
    'crowd-task-and-run-same-id': [besideRunOfCreatedKey, 'task-answered-with-last-id'],
  }),
  'long ago': defectsOf({
    'task-text-archived': [older(3_000), 'task-text-cut', ['RUN-KEEPS-TASK']],
    'task-finished-forgotten': [ranBefore(2, 1_500), 'task-unfinished'],
    'task-idle-read-stale': [always, 'task-read-stale'],
    'run-of-old-task-costs-two': [both(older(2_000), nthOfOne(1, true)), 'runTask-costs-two'],
    'rerun-later-free': [ranBefore(1, 1_500), 'runTask-free'],
    'run-charged-again-later': [every(3), 'success-charged-later'],
    'refund-taken-back-later': [every(3), 'refund-taken-back'],
    'no-credits-forgiven': [since(happening('run-402'), 1_500), 'run-on-credit'],
    'doc-content-expires': [older(2_500), 'document-read-empty'],
    'doc-leaves-folder': [always, 'documents-leave-folder'],
    'mark-read-forgotten': [always, 'mark-forgotten', ['NOTIFICATION-READ']],
    'key-unused-expires': {
      title: 'A created key that was not used for two seconds is refused.',
      mutate: () => refusing(({ last }, now) => now - last >= 2_000),
    },
  }),
  whom: defectsOf({
    'run-by-created-key-free': [every(2, narrowed[2]), 'runTask-free'],
    'refund-of-created-key-kept': [
      marked(
        (one) => one.deed === 'runTask' && isTaken(one) && one.key?.isFirst === false,
        'if a created key has started it',
      ),
      'refund-lost',
    ],
    'tasks-die-with-key': [
      byCreator(
        (key, { org }) => key?.isFirst === false && org.keys.get(key.id)?.deleted === true,
        'if the key that created it was deleted',
      ),
      'task-missing',
      ['TASK-READABLE'],
    ],
    'docs-of-created-key-private': [
      byCreator(
        (creator, { key }) => creator?.isFirst === false && !key?.isFirst && creator.id !== key?.id,
        'if one created key made it and another one asks',
      ),
      'document-read-empty',
    ],
    'task-list-of-each-key': [
      byCreator(
        (creator, { key }) => key?.isFirst === false && creator?.id !== key.id,
        'if a created key asks and another key made that one',
      ),
      'tasks-newest-unlisted',
    ],
    'unread-of-each-key': [byCreatedKey, 'mark-ignored'],
    'other-failed-run-refunds-us': [askedElsewhere, 'refund-elsewhere'],
    'other-no-credits-refuses-us': [
      when(
        ({ others }) => others.some(({ ledger }) => !ledger.solvent),
        'where another organization has no credit',
      ),
      'run-refused',
    ],
    'other-mark-read-lowers-unread': [always, 'mark-marks-elsewhere'],
    'other-same-folder-shared': [always, 'folder-shared'],
    'other-namesake-overwrites': [always, 'document-overwrites-theirs'],
    'other-namesake-finished': [
      when(
        ({ org, id, others }) =>
          others.some(({ tasks }) =>
            tasks.newest(1, ({ text, run }) => text === org.tasks.get(id)?.text && run?.ended === true).at(0),
          ),
        'where one with its text ran in another organization',
      ),
      'task-finished-early',
    ],
  }),
}
