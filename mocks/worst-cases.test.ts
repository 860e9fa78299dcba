/** Texts of strangers are read in linear time: no request and no answer keeps a process busy. */
import { expect, test } from 'vitest'
import { isBodyTruncated } from '#client-tests/entries.ts'
import { visibleKeyPrefix } from '#contract-tests/model/matching.ts'
import { redactedErrorLine } from '#contract-tests/report/secrets.ts'
import {
  escapeMarkdown,
  escapeXml,
  escapeXmlAttribute,
  fencedCode,
  printable,
  printableLine,
} from '#reporting/markup.ts'
import { isTruncated } from '#traffic/journal-entry.ts'
import { SecretRedactor, secretsInHeader } from '#traffic/redaction.ts'
import { isSecretName } from '#traffic/secret-names.ts'
import { durationMsOf, epochMsOf } from './core/clock.ts'
import { hostNameSlug } from './core/creatives.ts'
import { createControlGuard } from './edges/guard.ts'
import { directiveProblemIn, faultsInDirectives, parsePreferHeader } from './faults/directives.ts'
import { parseFaultRule } from './faults/grammar.ts'
import { needsNoRedaction } from './journal/view.ts'
import { parseOptionsWithScenario } from './scenarios/index.ts'
import { parseOrganizationSettings } from './scenarios/key-options.ts'

/** Maximum CPU time for reading a text, ms: several times what it takes; a quadratic reader takes far longer. */
const most = 1_200
/** Length of each text, characters. */
const length = 50_000

const usual = parseOptionsWithScenario({})
if (Array.isArray(usual)) throw new Error('The usual options are valid.')
const local = createControlGuard('127.0.0.1', undefined)
const guarded = (host: string) => local({ header: () => host, method: 'GET' } as never)
const keysOnly = new SecretRedactor(['a secret key with letters'])
const cookies = (text: string) => new SecretRedactor(secretsInHeader('cookie', text)).text(text)
const decoding = (text: string) =>
  redactedErrorLine(text, { apiKey: 'a key', otherApiKey: undefined, sessionCookie: text } as never)

/** Functions that read what strangers send, each with pieces that its patterns like least. */
const readers: Readonly<Record<string, [read: (text: string) => unknown, pieces: readonly string[]]>> = {
  'a Prefer header': [parsePreferHeader, ['/', 'a/', 'a ', 'a=" ', 'fault=reset,', 'odata.']],
  'a fault rule': [parseFaultRule, ['/', 'a', 'ok,', ';', '; ', 'whoami=', 'delay 5ms..']],
  'the text of a new task': [
    (text) => directiveProblemIn('createTask', text),
    [
      '[a]',
      '[',
      '[[',
      ']',
      '[[mock:',
      '[[mock:fail]]',
      '[[mock:x]] ',
      '[[mok:q]',
      '[mock:qqqqqqqqqq] ',
      '[[mo',
    ],
  ],
  'the text of a run': [
    (text) => faultsInDirectives(text, 'run'),
    ['[', '[[mock:', '[[mock:fail]]', '[[mock:create:fail]]'],
  ],
  'the name in a key': [
    (text) => parseOrganizationSettings(text.slice(0, 200), usual),
    ['.', '.credits=', 'credits=', '.a=', '='],
  ],
  'a duration': [durationMsOf, ['1', '.', '1.', '1s']],
  'a moment': [epochMsOf, ['1', '.', '2026-01-01', '2026-01-01T00:00:00.1']],
  'a brand': [hostNameSlug, ['-', ' ', 'a-', '\u00e9']],
  'a Host header': [guarded, [':', ':1', '[', '[]', '1']],
  'a cut body': [isTruncated, ['… ', '… (1', '1', '(']],
  'a cut body of a client': [isBodyTruncated, ['… ', '… (1', '1', '(']],
  'a path': [needsNoRedaction, ['/api/cli/', '/a', '/a_', 'a', '-']],
  'a text with secrets': [
    (text) => keysOnly.text(text),
    [
      ...['…', 'a sec…', 'a', '\\', '%', '%2', '&#x', '"a":', '"secret":"', '"a" ', '?a=', '&', '&a', '\n'],
      'wak_test_',
    ],
  ],
  'a text like a secret': [
    (text) => new SecretRedactor([`${text.slice(0, length / 2)}!`]).text(text),
    ['…', 'a', 'a…', 'ab', '+'],
  ],
  'many cookies': [cookies, ['=a;', '=', ';', '"', 'a=\u0001b;', 'a="']],
  'a coded text with secrets': [decoding, ['…', 'a', '1', '1 ', '1,', 'ab ', '\n', 'aaaaaa\n', '%']],
  credentials: [(text) => secretsInHeader('authorization', text), ['a', ' ', 'a ']],
  'the name of a header': [isSecretName, ['a', 'aB', '-', 'key-']],
  'the prefix of a key': [visibleKeyPrefix, ['.', '.a', '*', '…']],
  'a line of a report': [printableLine, ['\u202e', '\n', '\u001b']],
  'a block of a report': [printable, ['\u202e', '\n', '\r']],
  Markdown: [(text) => escapeMarkdown(text) + fencedCode(text), ['`', '` ', '*', '\n', '[', '&']],
  XML: [(text) => escapeXml(text) + escapeXmlAttribute(text), ['&', '\ud800', '\u202e', '\n']],
}

const cases = Object.entries(readers).flatMap(([name, [read, pieces]]) =>
  pieces.map((piece): [string, string, (text: string) => unknown] => [name, piece, read]),
)

test.each(cases)('%s full of %j', (_, piece, read) => {
  const text = piece.repeat(Math.ceil(length / piece.length))
  for (const end of ['', '!']) {
    const before = process.cpuUsage()
    read(text + end)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(most)
  }
})
