/** What a judgement says: in a sentence, and as one report on both sides. */
import { type ClientReport, isBroken } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { presentConformance, presentStrength } from '#contract-tests/report/presentation.ts'
import { counted } from '#reporting/markup.ts'
import type { Report } from '#reporting/report.ts'
import { Redaction } from '#traffic/redaction.ts'
import { suite } from '../reports.ts'
import type { Sides } from './judgement.ts'
import type { Terms } from './options.ts'

/** The verdict in a sentence. */
function verdictOn({ broken, doubtful = [], client }: Sides): string {
  const parts = [
    ...(broken ? [verdictOnService(broken, doubtful)] : []),
    ...(client ? [verdictOnClient(client)] : []),
  ]
  if (parts.length === 0) return 'Nothing of this API was seen.'
  return `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`
}

function verdictOnService(
  broken: readonly RequirementResult[],
  doubtful: readonly RequirementResult[],
): string {
  const sure = broken.length > 0 ? `the service broke ${firstOf(broken)}` : undefined
  if (doubtful.length === 0) return sure ?? 'the service broke nothing that the recording shows'
  const unless = `unless another client did something too, it broke ${firstOf(doubtful)}`
  return `${sure ?? 'the service broke nothing for certain'}; ${unless}`
}

/** How many there are, and the first of them in the recording. */
function firstOf(results: readonly RequirementResult[]): string {
  const entryOf = ({ evidence }: RequirementResult) => Math.max(...evidence.map(({ number }) => number))
  const [first] = results.toSorted((a, b) => entryOf(a) - entryOf(b))
  if (!first) return 'nothing'
  const { requirement, expected, actual } = first
  const where = `first at entry ${entryOf(first)}: ${requirement.id}`
  return `${counted(results.length, 'requirement')}, ${where}, expected ${expected}, got ${actual}`
}

function verdictOnClient({ rules }: ClientReport): string {
  const failed = rules.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  const [finding] = first?.findings ?? []
  if (first) return `the client broke ${counted(failed.length, 'rule')}: ${first.id}, it ${finding?.what}`
  const advice = rules.filter(isBroken).length
  return `the client broke no duty${advice > 0 ? `, and does not follow ${counted(advice, 'piece')} of advice` : ''}`
}

/** What is printed and written, without secrets. */
export function told(
  sides: Sides,
  { source, strict }: Terms,
  secrets: Iterable<string>,
  notes: readonly string[] = [],
) {
  const redaction = new Redaction(secrets)
  const verdict = redaction.json(verdictOn(sides))
  const { service = null, client = null, bodiless = 0 } = sides
  const unread =
    bodiless > 0
      ? [`Not judged, since the recording does not have their whole bodies: ${counted(bodiless, 'answer')}.`]
      : []
  const presented = redaction.json(presentSides(verdict, strict, sides, [...unread, ...notes]))
  const json = {
    schema_version: 1,
    outcome: presented.outcome,
    verdict,
    source,
    ...redaction.json({ service, client }),
  }
  return { verdict, presented, json }
}

function presentSides(
  verdict: string,
  strict: boolean,
  { service, client }: Sides,
  notes: readonly string[],
): Report {
  const parts = [
    ...(service ? [presentConformance(service)] : []),
    ...(client ? [presentClientReport(client)] : []),
  ]
  const strength = service?.strength && presentStrength(service.strength)
  const outcomes = parts.map(({ outcome }) => outcome)
  return {
    producer: suite.name,
    title: 'Recorded traffic',
    ...(service && { subject: service.target.base_url }),
    outcome: outcomes.includes('failed')
      ? 'failed'
      : outcomes.includes('passed') && service?.requests !== 0
        ? 'passed'
        : 'not_exercised',
    strict,
    facts: {
      ...(service && { variant: service.target.variant, requests: String(service.requests) }),
      ...strength?.facts,
    },
    properties: { ...strength?.properties },
    notes: [verdict, ...notes, ...(strength?.notes ?? [])],
    parts: client?.parts ?? [],
    results: parts.flatMap(({ results }) => results),
  }
}
