/** The rules of the specification with the requirements that test each, and the reverse. Pure functions. */
import { renderMarkdownTable } from '#reporting/markup.ts'
import { experimentReasons, isCheck, type Requirement, verdictDescriptions } from '../harness/requirement.ts'
import { flagOfInput, isOperatorInput, type Need } from '../harness/terms.ts'
import { type RuleAnchor, ruleAnchors } from '../model/rule-anchor.ts'
import { testMethodOf } from '../runner/results.ts'
import { matchesPattern } from '../runner/selection.ts'
import { untestedRuleReasons } from './untested.ts'

/** One rule: a list item that begins with an anchor. */
interface Rule {
  readonly anchor: string
  /** The place of the rule, such as `§3.2` or `§4 Tasks`. */
  readonly section: string
  /** Markdown, without what is left open. */
  readonly text: string
  /** The heading of its numbered part, such as `§7 Error answers`. */
  readonly part: string
}

/** The rules in the text of docs/specification.md, in its order. */
export function parseSpecificationRules(page: string): Rule[] {
  let part = ''
  return page.split('\n').flatMap((line) => {
    part = /^## (.+)$/.exec(line)?.[1] ?? part
    const [, anchor, section, text] = /^- <a id="([a-z0-9-]+)"><\/a>\*\*(§[^*]+)\*\* (.+)$/.exec(line) ?? []
    return anchor && section && text ? [{ anchor, section, text, part }] : []
  })
}

interface TracedRule {
  /** Anchor of the rule in docs/specification.md. */
  readonly anchor: RuleAnchor
  /** Ids of the requirements; a whole family stands as one pattern, in which `*` stands for any letters. */
  readonly patterns: readonly string[]
  /** The reason why no requirement tests the rule; undefined if some do. */
  readonly reason: string | undefined
  /** The requirements that test the rule, in the order of the catalogue. */
  readonly requirements: readonly Requirement[]
}

/** Every rule of the specification, in its order, with the requirements that test it. */
export function rulesWithRequirements(
  catalogue: readonly Requirement[],
  anchors: readonly RuleAnchor[] = ruleAnchors,
): TracedRule[] {
  return anchors.map((anchor) => {
    const requirements = catalogue.filter(({ rules }) => rules.includes(anchor))
    return {
      anchor,
      patterns: patternsOf(requirements, catalogue),
      reason: untestedRuleReasons[anchor],
      requirements,
    }
  })
}

/** A family of fewer requirements than this is not written as one pattern. */
const minFamily = 3

/** The ids of some requirements; a family stands as `PREFIX-*` where none of the catalogue is missing. */
function patternsOf(some: readonly Requirement[], catalogue: readonly Requirement[]): string[] {
  const left = new Set(some.map(({ id }) => id))
  const isWhole = (pattern: string) => {
    const family = catalogue.filter(({ id }) => matchesPattern(id, pattern))
    return family.length >= minFamily && family.every(({ id }) => left.has(id))
  }
  return some.flatMap(({ id }) => {
    if (!left.has(id)) return []
    const words = id.split('-')
    const prefixes = words.slice(1).map((_, i) => `${words.slice(0, i + 1).join('-')}-*`)
    const pattern = prefixes.find(isWhole) ?? id
    for (const one of left) if (matchesPattern(one, pattern)) left.delete(one)
    return [pattern]
  })
}

/** The anchors of the rules that a requirement tests, in the order of the specification. */
export const ruleAnchorsOf = ({ rules }: Requirement): RuleAnchor[] =>
  ruleAnchors.filter((anchor) => rules.includes(anchor))

const specification = '../docs/specification.md'

/** The text of REQUIREMENTS.md: the requirements of each rule, and the rules of each requirement. */
export function requirementsPage(rules: readonly Rule[], catalogue: readonly Requirement[]): string {
  // The page may have a new anchor, which the generated type does not have yet.
  const traced = rulesWithRequirements(
    catalogue,
    rules.map(({ anchor }) => anchor as RuleAnchor),
  )
  return `${[
    head(traced, catalogue),
    '## From the specification to requirements',
    'In an id, `*` stands for any letters. Rules without a requirement give the reason in *italics*. What a rule leaves open is written beside it in the specification.',
    ...Object.entries(Object.groupBy(rules, ({ part }) => part)).map(([part, members = []]) =>
      partText(part, members, traced),
    ),
    '## From requirements to the specification',
    `How it is judged: *asking* sends requests of its own, *state* also has the provider arrange something, *traffic* looks at every answer of the run. Verdict: ${definitionsOf(verdictDescriptions)}. An experiment has a reason: ${definitionsOf(experimentReasons)}. Costs are Work Credits at most; one paid run is shared by many requirements.`,
    ...familiesOf(catalogue).map(([family, members]) => familyText(family, members, traced)),
  ].join('\n\n')}\n`
}

function head(traced: readonly TracedRule[], catalogue: readonly Requirement[]): string {
  const levels = (['MUST', 'SHOULD'] as const).map(
    (level) => `${catalogue.filter((one) => one.level === level).length} ${level}`,
  )
  const judges = Object.entries(Object.groupBy(catalogue, ({ verdict }) => verdict)).map(
    ([verdict, { length }]) => `${length} by ${verdict}`,
  )
  const without = traced.filter(({ reason }) => reason !== undefined).length
  return [
    '# Requirements',
    '<!-- Generated by `npm run generate`. Do not edit. -->',
    `${catalogue.length} requirements (${levels.join(', ')}) from ${traced.length} rules of the [specification](${specification}); ${without} rules have no requirement.`,
    `Verdicts: ${judges.join(', ')}.`,
    '`verify --explain ID` describes one requirement, `verify --plan` lists those that a run would exercise.',
  ].join('\n\n')
}

function partText(part: string, rules: readonly Rule[], traced: readonly TracedRule[]): string {
  const rows = rules.map(({ anchor, section, text }) => {
    const { patterns = [], reason } = traced.find((one) => one.anchor === anchor) ?? {}
    return [link(anchor), section, inTable(text), reason ? `*${reason}*` : patterns.map(code).join(' ')]
  })
  return `### ${part}\n\n${renderMarkdownTable(['Rule', 'Section', 'Text', 'Requirements'], rows)}`
}

function familyText(family: string, members: readonly Requirement[], traced: readonly TracedRule[]): string {
  const rows = members.map((requirement) => [
    code(requirement.id),
    requirement.level,
    inTable(requirement.statement.replace(/[\\*_]/g, '\\$&').replaceAll('<', '&lt;')),
    requirement.section,
    judgedBy[testMethodOf(requirement)],
    verdictText(requirement),
    isCheck(requirement)
      ? requirement.needs.map(needText).join(', ') + (requirement.runsInsteadOfState > 0 ? ' or a run' : '')
      : '',
    isCheck(requirement) && requirement.cost > 0 ? String(requirement.cost) : '',
    traced
      .filter(({ requirements }) => requirements.includes(requirement))
      .map(({ anchor }) => link(anchor))
      .join(' '),
  ])
  const columns = ['Id', 'Level', 'Statement', 'Section', 'Judged', 'Verdict', 'Needs', 'Cost', 'From']
  return `### ${family}\n\n${renderMarkdownTable(columns, rows)}`
}

/** Requirements by the first word of their ids, in the order of the catalogue. */
function familiesOf(catalogue: readonly Requirement[]): [string, Requirement[]][] {
  return Object.entries(Object.groupBy(catalogue, ({ id }) => id.split('-')[0] ?? id)).map(
    ([family, members = []]) => [family, members],
  )
}

const verdictText = ({ verdict, experiment }: Requirement): string =>
  experiment === undefined ? verdict : `${verdict}: ${experiment}`

const definitionsOf = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([word, text]) => `*${word}*, ${text}`)
    .join('; ')

const judgedBy = { state: 'state', induced: 'asking', observed: 'traffic' } as const

const needText = (need: Need) =>
  isOperatorInput(need) ? code(flagOfInput(need)) : `state ${code(need.replace('state:', ''))}`

const link = (anchor: string) => `[${anchor}](${specification}#${anchor})`
const code = (text: string) => `\`${text}\``
const inTable = (markdown: string) => markdown.replaceAll('|', '\\|')
