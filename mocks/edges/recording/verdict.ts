/** Verdict of a judgement: in a sentence, and as one report on both sides. */
import { type ClientReport, isViolated } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { presentConformance, presentStrength } from '#contract-tests/report/presentation.ts'
import { countWithNoun } from '#reporting/markup.ts'
import type { Report, ReportResult } from '#reporting/report.ts'
import { packageNameAndVersion } from '#reporting/suite.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import type { RecordingJudgement } from './judgement.ts'
import type { RecordingJudgementSettings } from './terms.ts'

/** Who broke something, in a short sentence. */
function verdictOn({ broken, doubtful = [], client }: RecordingJudgement): string {
  const parts = [
    ...(broken ? [verdictOnService(broken, doubtful)] : []),
    ...(client ? [verdictOnClient(client)] : []),
  ]
  if (parts.length === 0) return 'Nothing of this API was seen.'
  return `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`
}

/** Words for other causes than the service, which a recording cannot exclude. */
const unless =
  'unless another client or organization did something too, credits were bought, or a request is not recorded'

function verdictOnService(
  broken: readonly RequirementResult[],
  doubtful: readonly RequirementResult[],
): string {
  const sure =
    broken.length > 0 ? `the service broke ${countWithNoun(broken.length, 'requirement')}` : undefined
  if (doubtful.length === 0) return sure ?? 'the service broke nothing that the recording shows'
  const open = `${unless}, it broke ${countWithNoun(doubtful.length, 'requirement')}`
  return `${sure ?? 'the service broke nothing for certain'}; ${open}`
}

function verdictOnClient({ rules }: ClientReport): string {
  const failed = rules.filter(({ outcome }) => outcome === 'failed')
  if (failed.length > 0) return `the client broke ${countWithNoun(failed.length, 'rule')}`
  if (rules.every(({ outcome }) => outcome === 'not_exercised')) return 'nothing was judged of the client'
  const advice = rules.filter(isViolated).length
  return `the client broke no duty${advice > 0 ? `, and does not follow ${countWithNoun(advice, 'piece')} of advice` : ''}`
}

/** The first violation by each side, one line for each. */
function sightsOf({ broken = [], doubtful = [], client }: RecordingJudgement): string[] {
  const failed = client?.rules.find(({ outcome }) => outcome === 'failed')
  const [finding] = failed?.findings ?? []
  return [
    ...firstOf('the service', broken),
    ...firstOf(`the service, ${unless}`, doubtful),
    ...(failed ? [`the client: ${failed.id}, it ${finding?.what}`] : []),
  ]
}

/** The first of some results in the recording, as a line that begins with who broke it. */
function firstOf(who: string, results: readonly RequirementResult[]): string[] {
  const entryOf = ({ evidence }: RequirementResult) => Math.max(...evidence.map(({ number }) => number))
  const [first] = results.toSorted((a, b) => entryOf(a) - entryOf(b))
  if (!first) return []
  const { requirement, expected, actual } = first
  return [`${who}, first at entry ${entryOf(first)}: ${requirement.id}, expected ${expected}, got ${actual}`]
}

/** Writes the verdict on a recording as lines of text, without secrets. */
export function verdictLines(
  sides: RecordingJudgement,
  { source, strict }: RecordingJudgementSettings,
  secrets: Iterable<string>,
  notes: readonly string[] = [],
) {
  const redaction = new SecretRedactor(secrets)
  const verdict = redaction.json(verdictOn(sides))
  const sights = redaction.json(sightsOf(sides))
  const { service = null, client = null, bodiless = 0, unclear = 0, mixed = 0 } = sides
  const unread = [
    ...(bodiless > 0
      ? [
          `Not judged, since the recording does not have their whole bodies: ${countWithNoun(bodiless, 'answer')}.`,
        ]
      : []),
    ...(unclear > 0
      ? [
          `Judged by themselves only, since they have parameters of unknown effect: ${countWithNoun(unclear, 'request')}.`,
        ]
      : []),
    ...(mixed > 0
      ? [
          `Not judged as those of one client, since they show several organizations and the recording has no keys: ${countWithNoun(mixed, 'request')}.`,
        ]
      : []),
  ]
  const sided = presentSides(verdict, strict, sides, [...sights, ...unread, ...notes])
  const presented = redaction.json({
    ...sided,
    notes: [...sided.notes, ...credentialVariableNotes(sided.results)],
  })
  const json = {
    schema_version: 1,
    outcome: presented.outcome,
    verdict,
    source,
    ...redaction.json({ service, client }),
  }
  return { verdict, sights, presented, json }
}

/**
 * Notes for a report: which shell variables in the curl lines of these results stand for the credentials of other
 * organizations.
 */
export function credentialVariableNotes(results: readonly ReportResult[]): string[] {
  const lines = results.flatMap(({ evidence }) => evidence.map(({ exchange }) => exchange?.curl ?? ''))
  const variables = [...new Set(lines.flatMap((line) => line.match(/\$WORK_AGENT_OTHER_\w+/g) ?? []))]
  return variables.map(
    (name) =>
      `In a curl line, ${name} stands for the credential of that request, which is of another organization than the first one seen (${name.replace('OTHER_', '')}): set it yourself.`,
  )
}

function presentSides(
  verdict: string,
  strict: boolean,
  { service, client }: RecordingJudgement,
  notes: readonly string[],
): Report {
  const parts = [
    ...(service ? [presentConformance(service)] : []),
    ...(client ? [presentClientReport(client)] : []),
  ]
  const strength = service?.strength && presentStrength(service.strength)
  const outcomes = parts.map(({ outcome }) => outcome)
  const sidesFailed = [
    ...(service?.outcome === 'failed' ? ['the service'] : []),
    ...(client?.outcome === 'failed' ? ['the client'] : []),
  ]
  const blamed = sidesFailed.length > 0 ? [sidesFailed.join(' and ')] : []
  return {
    producer: packageNameAndVersion.name,
    title: ['Recorded traffic', ...blamed].join(': '),
    ...(service && { subject: service.target.base_url }),
    outcome: outcomes.includes('failed')
      ? 'failed'
      : outcomes.includes('inconclusive')
        ? 'inconclusive'
        : outcomes.includes('passed') && service?.requests !== 0
          ? 'passed'
          : 'not_exercised',
    strict,
    facts: {
      ...(service && { variant: service.target.variant, requests: String(service.requests) }),
      ...strength?.facts,
    },
    properties: { ...strength?.properties },
    lead: parts.flatMap(({ lead }) => lead),
    notes: [verdict, ...notes, ...(strength?.notes ?? [])],
    parts: client?.parts ?? [],
    results: parts.flatMap(({ results }) => results),
  }
}
