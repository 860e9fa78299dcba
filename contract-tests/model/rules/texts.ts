/** §2: texts of tasks and documents come back as they were sent, whatever they hold. */
import { valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import { isBlank, isSameTrimmed, quotedJson, quoteExpectedAndActual, statusAndCode } from '../matching.ts'
import { documentedRefusals, isAllowedRefusal } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import type { Fact, KnownOrganization } from '../state.ts'
import { soleTextClassOf, type TextClass, textClassesOf } from '../text-class.ts'
import { declareModelRule, judgeEachItem, type ModelRule, type RuleJudgement } from '../violation.ts'

/**
 * Kinds of resources with a text: how each is created and read, where its text stands, and the requirements on outer
 * white space.
 */
const kinds = [
  {
    prefix: 'TASK',
    create: 'createTask',
    read: 'getTask',
    path: ['task', 'text'],
    spaced: { text: 'TASK-TEXT-ENDS' },
    factsOf: ({ tasks }: KnownOrganization, id: string) => ({ text: tasks.get(id)?.text }),
  },
  {
    prefix: 'DOC',
    create: 'createDocument',
    read: 'getDocument',
    path: ['item', 'content_md'],
    spaced: { content_md: 'DOC-TEXT-ENDS', title: 'DOC-TITLE-SPACES', summary: 'DOC-TITLE-SPACES' },
    factsOf: ({ documents }: KnownOrganization, id: string): Facts => documents.get(id)?.fields ?? {},
  },
] as const

type Facts = Readonly<Record<string, Fact<string> | undefined>>

/** The requirement about texts of a class. */
const requirementOf = (prefix: 'TASK' | 'DOC', one: TextClass): RequirementId =>
  prefix === 'DOC' && one === 'LONG' ? 'DOC-CONTENT-LONG' : (`${prefix}-TEXT-${one}` as RequirementId)

/**
 * Judges whether a text comes back as it was sent. A violation counts for the requirement of the text's class (such as
 * long texts); if the text is missing, or belongs to no class or to several, for `otherwise`.
 */
export function judgeText(
  shown: unknown,
  sent: string,
  what: string,
  { prefix, otherwise }: { readonly prefix: 'TASK' | 'DOC'; readonly otherwise: RequirementId },
  ...evidence: readonly number[]
): RuleJudgement {
  if (isSameTrimmed(shown, sent))
    return { confirms: [otherwise, ...textClassesOf(sent).map((one) => requirementOf(prefix, one))] }
  const only = isBlank(shown) ? undefined : soleTextClassOf(sent)
  const requirement = only ? requirementOf(prefix, only) : otherwise
  const { expected, actual } = quoteExpectedAndActual(sent, shown)
  return { requirement, expected: `${what}: ${expected}`, actual, evidence }
}

/** Longest text, characters, whose refusal cannot be about its length: services may have a longest text for each field. */
const taken = 200

const takes = ({ prefix, create, path, spaced }: (typeof kinds)[number]): ModelRule =>
  declareModelRule(`text-taken-${create}`, `ACCEPTS-${create}`, 'texts-kept', [create]).judge(
    (_, { body, answer }: AnsweredRequest) => {
      const text = valueAtPath(body, path[1])
      const only = typeof text === 'string' ? soleTextClassOf(text) : undefined
      // The refusal may be about another field: a folder must exist, a kind be known, and a text not be too long.
      const isPlain = Object.entries(Object(body)).every(
        ([name, value]) => Object.hasOwn(spaced, name) && String(value).length <= taken,
      )
      if (!only || only === 'LONG' || !isPlain) return undefined
      if (!isAllowedRefusal(answer, documentedRefusals.badInput)) return isSuccess(answer) || undefined
      const requirement = requirementOf(prefix, only)
      return {
        requirement,
        expected: 'a success: texts are taken',
        actual: statusAndCode(answer),
        evidence: [],
      }
    },
  )

const keepsEnds = ({ read, path, spaced, factsOf }: (typeof kinds)[number]): ModelRule =>
  declareModelRule(`text-ends-${read}`, spaced[path[1] as keyof typeof spaced], 'texts-kept', [read]).judge(
    (org, event) => {
      const facts: Facts = factsOf(org, event.resource ?? '')
      return judgeEachItem(
        isSuccess(event.answer) ? Object.entries(spaced) : undefined,
        event,
        ([name, requirement]) => {
          const { value: sent = '', eventId } = facts[name] ?? {}
          const shown = valueAtPath(event.answer.json, path[0], name)
          if (eventId === undefined || sent === sent.trim() || !isSameTrimmed(shown, sent)) return undefined
          if (shown === sent) return { confirms: [requirement] }
          return {
            requirement,
            expected: `${path[0]}.${name}: ${quotedJson(sent)}`,
            actual: quotedJson(shown),
            evidence: [eventId],
          }
        },
      )
    },
  )

/** Rules: a task or a document is accepted whatever class of fragile text (`TextClass`) its text belongs to. */
export const textAcceptanceRules: readonly ModelRule[] = kinds.map(takes)

/** Rules that white space at either end of a text is kept. */
export const outerWhitespaceRules: readonly ModelRule[] = kinds.map(keepsEnds)
