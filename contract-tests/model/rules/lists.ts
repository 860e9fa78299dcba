/** §4: a list shows at least its newest entry. */
import { type Answered, isSuccess } from '../event.ts'
import { identified, isBefore, mayFall, spanOf } from '../matching.ts'
import type { Organization, Span, State } from '../state.ts'
import { type Rule, rule } from '../violation.ts'
import { hold } from './found.ts'

type Made = { readonly born?: Span | undefined }

/** The last that was certainly created before a request, and after all others; undefined: there is none. */
function newestBefore(things: ReadonlyMap<string, Made>, at: Span): readonly [string, Span] | undefined {
  let newest: readonly [string, Span] | undefined
  for (const [id, { born }] of things) {
    if (!born) continue
    if (!isBefore(born, at)) return undefined
    if (!newest || isBefore(newest[1], born)) newest = [id, born]
    else if (!isBefore(born, newest[1])) return undefined
  }
  return newest
}

/** The newest thing is listed: at once as a SHOULD (LIST-PROMPT), once the time that a list may take is over as a MUST. */
export const newestListed = (
  name: string,
  operation: 'listTasks' | 'listDocuments',
  requirement: string,
  things: (org: Organization) => ReadonlyMap<string, Made>,
): readonly Rule[] => {
  const judge = (org: Organization, event: Answered, isLate: (born: Span) => boolean) => {
    if (!isSuccess(event.answer) || (operation === 'listDocuments' && event.query?.all !== '1'))
      return undefined
    const at = spanOf(event)
    const [id, born] = newestBefore(things(org), at) ?? []
    if (!born || !isLate(born)) return undefined
    const create = operation === 'listTasks' ? 'createTask' : 'createDocument'
    if (org.creating.some((one) => one.operation === create && mayFall(one, born, at))) return undefined
    const listed = identified(event.answer.json)
    return hold(
      listed.some((one) => one.id === id),
      `the new ${name} ${id}`,
      `${listed.length} others`,
      born.by,
    )
  }
  const common = { anchor: 'list-contents', operations: [operation], others: true } as const
  const isLate =
    (event: Answered, { lag }: State) =>
    (born: Span) =>
      isBefore(born, spanOf(event), lag)
  return [
    rule({
      ...common,
      id: `${name}-listed`,
      requirement,
      judge: (org, event, state) => judge(org, event, isLate(event, state)),
    }),
    rule({
      ...common,
      id: `${name}-listed-promptly`,
      requirement: 'LIST-PROMPT',
      judge: (org, event, state) => judge(org, event, (born) => !isLate(event, state)(born)),
    }),
  ]
}
