/**
 * Mechanical mutants: each operator on each field of each operation and on its requests. Generated, not chosen. And the
 * violations that the strength of a run is measured by, as mocks that show them.
 */
import { type OperationId, operationIds } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { classifyMutant, type MutantLegality } from '#contract-tests/strength/classes.ts'
import { fieldMutants } from '#contract-tests/strength/fields.ts'
import { type MeasuredRun, prepareMeasuredRun } from '#contract-tests/strength/strength.ts'
import { type AnswerAlteration, listLatenessMs } from '#contract-tests/strength/violations.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { InterceptedRequest, Mutation } from './mutations/mutation.ts'
import { callAfterRunEnd, overrideRefund } from './mutations/organizations.ts'
import { replaceAnswersWithError, rewriteErrors, rewriteSuccess } from './mutations/reply.ts'
import { changeListItems, giveCreditsAfterHandling, showCreationsLate } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

interface Mutant {
  /** `listTasks items.*.status stale`. */
  readonly id: string
  readonly is: MutantLegality
  readonly because: string
  readonly variant: Variant
  mutate(): Mutation
}

/** An answer that can be given again. */
interface Kept {
  readonly body: string
  readonly status: number
  readonly headers: Headers
}

const again = ({ body, status, headers }: Kept) => new Response(body, { status, headers })

const kept = async (response: Response): Promise<Kept> => ({
  body: await response.text(),
  status: response.status,
  headers: response.headers,
})

/** The key or session with which a request was sent, as a text that tells callers apart. */
const credentialOf = ({ headers }: Request) => `${headers.get('authorization')} ${headers.get('cookie')}`

/** A mutation of the requests of one operation; the credentials are checked all the same. */
type RequestOperator = (
  isMeant: (context: InterceptedRequest) => boolean,
) => Required<Pick<Mutation, 'middleware'>>

/** Answers with the first success, once there is one; by credential, and by what `by` gives, such as the URL. */
const repeats =
  (by: (request: Request) => string): RequestOperator =>
  (isMeant) => {
    const answers = new Map<string, Kept>()
    return {
      async middleware(context, next) {
        const { request } = context
        const key = `${credentialOf(request)} ${by(request)}`
        const before = answers.get(key)
        if (!isMeant(context)) return next(request)
        if (before) return again(before)
        const answer = await kept(await next(request))
        if (answer.status < 300) answers.set(key, answer)
        return again(answer)
      },
    }
  }

const requestOperators = {
  /** The request has no effect: the first success is answered again. */
  dropped: repeats(() => ''),
  /** The first answer for an address is repeated for ever. */
  cached: repeats(({ url }) => url),
  doubled: (isMeant) => ({
    async middleware(context, next) {
      const { request } = context
      if (isMeant(context)) await next(request.clone())
      return next(request)
    },
  }),
  replayed(isMeant) {
    let last: Request | undefined
    return {
      async middleware(context, next) {
        const { request } = context
        if (!isMeant(context)) return next(request)
        const [before, copy] = [last, request.clone()]
        const response = await next(request)
        if (response.ok) last = copy
        if (response.ok && before) await next(before)
        return response
      },
    }
  },
} as const satisfies Readonly<Record<string, RequestOperator>>

/**
 * Runs the suite against a mutant; returns the requirements that it violates or may violate, and what is wrong with
 * that, if anything.
 */
export async function tryMutant(mutant: Mutant) {
  const first = mutant.is !== 'legal'
  const trial = await tryMutations([mutant.mutate()], mutant.variant, { extended: 'on' }, { first })
  const { faults } = trial
  const red = [...trial.red, ...trial.suspected]
  const objection =
    faults.length > 0
      ? `errors: ${faults[0]}`
      : mutant.is === 'forbidden' && red.length === 0
        ? `it lives: ${mutant.because}`
        : mutant.is === 'legal' && red.length > 0
          ? `it is legal and breaks ${red.join(', ')}: ${mutant.because}`
          : undefined
  return { red, objection }
}

const ofFields = fieldMutants.map(({ operation, path, operator, variant, create }): Mutant => {
  const mutate = () => {
    const change = create()
    return rewriteSuccess((reply, { request }) => {
      reply.body = change(reply.body, credentialOf(request))
    }, operation)
  }
  const id = `${operation} ${path} ${operator}`
  return { id, ...classifyMutant({ operation, path, operator }), variant, mutate }
})

const ofRequests = operationIds.flatMap((operation) =>
  Object.entries(requestOperators).map(([key, operator]): Mutant => {
    const name = key as keyof typeof requestOperators
    const id = `${operation} request ${name}`
    const mutate = () => operator((context) => context.operation === operation)
    return { id, ...classifyMutant({ operation, path: null, operator: name }), variant: 'first', mutate }
  }),
)

/**
 * All mechanical mutants of a mock: each operator on fields applied to the answer fields whose type it fits, and each
 * operator on requests (such as `dropped`) applied to each operation.
 */
export const answerMutants: readonly Mutant[] = [...ofFields, ...ofRequests]

/** A list that shows the last entry that another organization was shown. */
function showingStrangers(operation: Parameters<typeof changeListItems>[0]): Mutation {
  const shown = new Map<Organization, unknown>()
  return changeListItems(operation, (items, org) => {
    if (items[0] !== undefined) shown.set(org, items[0])
    const [, other] = [...shown].find(([owner]) => owner !== org) ?? []
    return other === undefined ? items : [...items, other]
  })
}

const isList = (operation: OperationId): operation is 'listTasks' | 'listDocuments' | 'listKeys' =>
  operation === 'listTasks' || operation === 'listDocuments' || operation === 'listKeys'

/** The mutation by which a mock shows a violation; undefined if there is none. */
function mutationOf({ id, operation }: AnswerAlteration): (() => Mutation) | undefined {
  const mutant = answerMutants.find((one) => one.id === id)
  if (mutant) return mutant.mutate
  const [first = '', ...rest] = id.split(' ')
  const what = rest.join(' ')
  if (first === 'refund')
    return () =>
      what === 'forgotten'
        ? overrideRefund(() => undefined)
        : callAfterRunEnd((org, { outcome }, at) => void (outcome === 'failed' && org.ledger.topUp(1, at)))
  if (/^\d/.test(first))
    return () =>
      rewriteErrors(Number(first), (reply) => {
        const body = reply.body as Record<string, unknown>
        if (what === 'with another code') body.error = 'problem'
        else delete body[what === 'without a code' ? 'error' : 'message']
      })
  if (operation === null) return undefined
  if (what === 'free' || what === 'charged twice')
    return () => giveCreditsAfterHandling(what === 'free' ? 1 : -1, operation)
  if (what === 'late' && isList(operation)) return () => showCreationsLate(operation, listLatenessMs)
  if (what === 'of another organization' && isList(operation)) return () => showingStrangers(operation)
  if (what === 'success as 500')
    return () => replaceAnswersWithError(({ status }) => status < 300, [500, 'internal'], operation)
  return undefined
}

const green = new Map<Variant, Promise<MeasuredRun>>()

async function measure(variant: Variant): Promise<MeasuredRun> {
  const { run } = await tryMutations([], variant, { extended: 'on' })
  return prepareMeasuredRun(run, settingsWithDefaults({ apiKey: '', extended: 'on' }))
}

/**
 * Tries whether a fault of answers that the option `--strength` simulates, such as a missing field, is noticed.
 * Returns `offline`: in altered answers of a good mock; `online`: by a run against a mock that has the fault.
 */
export async function tryAnswerAlteration(
  violation: AnswerAlteration,
): Promise<{ offline: boolean; online: boolean }> {
  const variant = answerMutants.find(({ id }) => id === violation.id)?.variant ?? 'first'
  const run = green.get(variant) ?? measure(variant)
  green.set(variant, run)
  const mutate = mutationOf(violation)
  if (!mutate) throw new Error(`no mock shows ${violation.id}`)
  const { red } = await tryMutations([mutate()], variant, { extended: 'on' }, { first: true })
  return { offline: ((await run).noticedBy(violation) ?? []).length > 0, online: red.length > 0 }
}
