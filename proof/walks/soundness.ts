/** Walks through mocks that behave legally, judged by the model: it may object to nothing. */
import { variants } from '#contract/route.ts'
import { judgeHistory, modelRules } from '#contract-tests/model/index.ts'
import type { RequirementId } from '#contract-tests/model/requirement-id.ts'
import { conclusiveViolations } from '#contract-tests/runner/watch.ts'
import { legalVariations } from '../legal-variations/index.ts'
import type { Variation } from '../legal-variations/variation.ts'
import { drawVariations } from '../matrix.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { runRandomWalk } from './walk.ts'

/** The longest delay of a refund, ms: longer than in any variation, and short enough that walks see it. */
const runTimeout = 5_000

/** The legal variations that the first random walks try one by one, among them every quirk. */
export const variationsWalkedAlone = legalVariations.filter(({ wire }) => !wire)

/** Variations that change balances, as another user would. */
const changing = new Set(['run-credits-first'])

/** The SHOULD requirements that a variation with tolerably late effects violates. */
const promptness: ReadonlySet<string> = new Set<RequirementId>([
  'LIST-PROMPT',
  'CREDITS-PROMPT',
  'KEY-DELETED-PROMPT',
])

/** The variations of a walk: first each alone, then combinations; every fifth in strict-client mode. */
function joinVariations(number: number): readonly Pick<Variation, 'id' | 'group' | 'warns' | 'mutate'>[] {
  const alone = variationsWalkedAlone[number]
  if (alone) return [alone]
  if (number % 5 > 0) return drawVariations(legalVariations, `walk ${number}`)
  const mutate = (): Mutation => ({ options: { strictClient: String(number) } })
  // One of the quirks of that mode mixes the variants.
  return [{ id: `strict-client ${number}`, warns: ['VARIANT-CONSISTENT'], mutate }]
}

/**
 * Lets the model judge one random walk through a mock that behaves legally, with and without allowance for late lists
 * and balances. Any violation that it finds is an error of the model.
 */
export async function tryWalk(number: number, steps: number) {
  const drawn = joinVariations(number)
  const circumstances = {
    variant: variants[number % 2] ?? 'first',
    clients: number % 3 === 0 ? 1 : 8,
    lost: number % 2 === 0 ? 0.3 : 0,
    others: number % 5 === 1 ? 0.05 : 0,
    drift: [1, 0.8, 1.25][number % 3] ?? 1,
  }
  const isShared =
    circumstances.others > 0 || drawn.some(({ id, group }) => group === 'others' || changing.has(id))
  const mutations = drawn.map((variation) => variation.mutate())
  const { history, bugs } = await runRandomWalk({ seed: number, steps, mutations, ...circumstances })
  const warned = new Set(drawn.flatMap(({ warns = [] }) => warns))
  const isLate = drawn.some(({ warns = [] }) => warns.some((id) => promptness.has(id)))
  const tried = new Set<string>()
  const noted = modelRules.map((rule) => ({
    ...rule,
    judge: (...seen: Parameters<typeof rule.judge>) => {
      const finding = rule.judge(...seen)
      if (finding !== undefined) tried.add(rule.id)
      return finding
    },
  }))
  const verdicts = (isLate ? [2_000] : [2_000, 0]).map((consistency) =>
    judgeHistory(history, { rules: noted, consistency, runTimeout }),
  )
  const violations = verdicts
    .flatMap(({ violations }) => (isShared ? conclusiveViolations(violations, history, []) : violations))
    .filter(({ requirement }) => !isLate || requirement !== 'LIST-PROMPT')
    .filter(({ requirement }) => !warned.has(requirement))
  return {
    /** The variations and the circumstances. */
    name: `${drawn.map(({ id }) => id).join(' + ')} ${JSON.stringify(circumstances)}`,
    steps: history.length,
    /** Objections, none of which is right, and errors in the mock. */
    accusations: [...violations, ...bugs.map(String)],
    /** Ids of the rules that had something to judge. */
    tried,
  }
}
