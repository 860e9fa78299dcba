/** `--explain`: what one requirement demands, with its fields, how it is tested, what that takes, and what proves it. */
import { z } from 'zod'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import sentences from '#contract/sentences.json' with { type: 'json' }
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import { costOfAttempt } from '#contract-tests/runner/planned-credits.ts'
import { fits } from '#contract-tests/runner/selection.ts'
import { anchorsOf } from '#contract-tests/traceability/trace.ts'
import { UsageError } from '../flags.ts'
import { runDuration, type Steps, stepsOf } from './steps.ts'

/** The requirement with an id, in any case. @throws UsageError for an unknown id. */
function requirementOf(id: string): Requirement {
  const requirement = catalogue.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (!requirement) throw new UsageError(`--explain: no requirement "${id}"; --list shows them`)
  return requirement
}

/** The explanation of a requirement, with the steps of its check. @throws UsageError for an unknown id. */
export async function explain(id: string): Promise<string> {
  const requirement = requirementOf(id)
  const steps = isProbe(requirement) ? await stepsOf(requirement.id) : undefined
  return explainText(requirement.id, await defectsOf(requirement.id), steps)
}

/** The same from what is known: the ids of the defects that break it, and its steps. @throws UsageError for an unknown id. */
export function explainText(id: string, defects: readonly string[] = [], steps?: Steps): string {
  const requirement = requirementOf(id)
  const { level, section, statement, operation } = requirement
  const needs = isProbe(requirement) ? requirement.needs : []
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['Requirement', [statement]],
    ['Rules', anchorsOf(requirement).map(ruleOf)],
    ['Operation', [operation ?? 'several']],
    ['Fields', operation === null ? [] : fieldLines(operation)],
    ['Judged', [isProbe(requirement) ? 'by requests of its own' : 'from every response of the run']],
    ['Steps', steps?.lines ?? []],
    ['Sends', steps?.sends ?? []],
    ['Needs', [needs.length > 0 ? needs.map(needText).join(', ') : 'a base URL and a key']],
    ['Costs', [costText(requirement), ...(steps ? [takenText(steps)] : [])]],
    ['Proven by', defects.length > 0 ? [`the defects ${defects.join(', ')}`] : []],
  ]
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, at) => `  ${(at === 0 ? label : '').padEnd(11)}  ${text}`),
  )
  return [`${level} ${requirement.id} (${section})`, ...lines, ''].join('\n')
}

/** A rule of the specification: its section, its sentence, and where it is. */
function ruleOf(anchor: string): string {
  const { section, sentence } = sentences[anchor as keyof typeof sentences]
  return `${section}: ${sentence} (docs/specification.md#${anchor})`
}

function costText(requirement: Requirement): string {
  const most = isProbe(requirement) ? costOfAttempt(requirement) : 0
  if (most === 0) return 'no Work Credits'
  return `up to ${most} Work Credit${most > 1 ? 's' : ''} an attempt, shared with others`
}

const takenText = ({ requests, credits, waits }: Steps) =>
  `tested alone: ${requests} requests, ${credits} Work Credit${credits === 1 ? '' : 's'}, waits of ${(waits / 1_000).toFixed(1)} s where a run takes ${runDuration.replace('s', ' s')}`

/** The ids of the defects that break a requirement. */
async function defectsOf(id: string): Promise<string[]> {
  const { defects } = await import('#proof/defects/index.ts')
  return defects.filter(({ breaks }) => breaks.some((pattern) => fits(id, pattern))).map((one) => one.id)
}

function needText(need: string): string {
  const texts: Record<string, string> = {
    other_key: '--other-api-key',
    session: '--session-cookie',
    other_session: '--other-session-cookie',
  }
  return texts[need] ?? `--states-url with the state "${need.replace('state:', '')}"`
}

/** Lines such as `answer: { task: { id: text or number }, finished: true or false }`. */
function fieldLines(operation: OperationId): string[] {
  const { body, query, answer } = routeOf(operation)
  const answers = variants.map((variant) => typeOf(answer[variant]))
  const isOne = new Set(answers).size === 1
  return [
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(query ? [`query: ${typeOf(query)}`] : []),
    ...(isOne
      ? [`answer: ${answers[0]}`]
      : answers.map((one, at) => `answer, ${variants[at]} variant: ${one}`)),
  ]
}

const names: readonly (readonly [abstract new (...args: never[]) => z.ZodType, string])[] = [
  [z.ZodNumber, 'number'],
  [z.ZodString, 'text'],
  [z.ZodBoolean, 'true or false'],
  [z.ZodNull, 'null'],
]

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)} or null`
  if (schema instanceof z.ZodUnion) return schema.options.map((one) => typeOf(one as z.ZodType)).join(' or ')
  if (schema instanceof z.ZodArray) return `[${typeOf(schema.element as z.ZodType)}]`
  if (schema instanceof z.ZodLiteral) return JSON.stringify(schema.value)
  if (schema instanceof z.ZodObject) return objectOf(schema)
  return names.find(([kind]) => schema instanceof kind)?.[1] ?? 'anything'
}

function objectOf({ shape }: z.ZodObject): string {
  const fields = Object.entries(shape as Record<string, z.ZodType>)
  const texts = fields.map(
    ([name, field]) => `${name}${field instanceof z.ZodOptional ? '?' : ''}: ${typeOf(field)}`,
  )
  return texts.length === 0 ? 'object' : `{ ${texts.join(', ')} }`
}
