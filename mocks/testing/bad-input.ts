/** Tables of invalid input: bodies, ids, queries and headers. */

/** A named body; undefined: no body. */
type BadBody = readonly [name: string, body: string | Uint8Array<ArrayBuffer> | undefined]

const mebibyte = 1_048_576

/** Bodies that are not a JSON object, for any route. */
export const unreadableBodies: readonly BadBody[] = [
  ['no body', undefined],
  ['an empty body', ''],
  ['blank', ' \r\n\t'],
  ['no JSON', 'text=hello'],
  ['half an object', '{"text":"a"'],
  ['two objects', '{}{}'],
  ['single quotes', "{'text':'a'}"],
  ['not a number', '{"text":NaN}'],
  ['an array', '[{"text":"a"}]'],
  ['a string', '"text"'],
  ['a number', '5'],
  ['null', 'null'],
  ['a boolean', 'true'],
  ['invalid UTF-8', Uint8Array.from([...Buffer.from('{"text":"'), 0xff, 0xc3, 0x28, ...Buffer.from('"}')])],
  [
    'a UTF-8 surrogate',
    Uint8Array.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
  ],
  ['UTF-16', Uint8Array.from(Buffer.from('{"text":"a"}', 'utf16le'))],
  ['gzip', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ['2 MiB of one field', `{"text":"${'a'.repeat(2 * mebibyte)}"}`],
  ['2 MiB of blanks', ' '.repeat(2 * mebibyte)],
  ['arrays 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['objects 20,000 deep', `${'{"text":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
]

/** Ids that do not exist, as written in a path, percent-encoded or not. */
export const badIds: readonly string[] = [
  ..."%2f a%2fb %2e%2e%2f%2e%2e%2fkeys %252f %00 a%00b %0d%0aSet-Cookie:%20a=b %20 '%20OR%201=1".split(' '),
  ...'% %zz %c3%28 %ff %ed%a0%80 \ud800 a\udc00b \u{1f600} -1 0 * ; :id'.split(' '),
  ...'__proto__ constructor hasOwnProperty NaN undefined'.split(' '),
  'x'.repeat(10_240),
  '%41'.repeat(3_400),
]

/** Unusual queries; a route may accept them or reject them as invalid. */
export const oddQueries: readonly string[] = [
  '?',
  '?=',
  '?&&&',
  '?all',
  '?all=2',
  '?all=1&all=2',
  '?all[]=1',
  '?%',
  '?folder_id=%zz',
  '?folder_id=%ff%fe&range=%ff',
  '?folder_id=%00&range=%00',
  '?folder_id=\ud800&range=\ud800',
  '?__proto__=1&constructor=2&hasOwnProperty=3',
  '?folder_id=__proto__&range=__proto__',
  `?folder_id=${'x'.repeat(10_240)}&range=${'x'.repeat(10_240)}`,
  `?${'a=1&'.repeat(2_000)}`,
]

/** Unusual headers, sent with a valid credential. */
export const oddHeaders: readonly Record<string, string>[] = [
  { prefer: 'variant=__proto__' },
  { prefer: 'variant=;;,=,"' },
  { prefer: 'x'.repeat(10_240) },
  { accept: 'text/plain' },
  { 'content-type': 'text/plain; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { cookie: '=; ;; a=%; b="; work_agent_sessions=x; work_agent_session' },
]
