/** Searches a text for secrets by decoding it. Independent of the code that redacts them. */

/** Characters of the pieces of a secret by which a leak is found. */
const piece = 8

/** The pieces of secrets that a text contains, with their surroundings; empty if there are none. */
export function leakedSecretsIn(text: string, secrets: readonly string[]): string[] {
  const once = unescaped(text)
  const readings = [text, once, unescaped(once), ...coded(text), ...coded(once)]
  const lower = readings.map((reading) => reading.toLowerCase())
  return secrets.flatMap((secret) =>
    piecesOf(secret.toLowerCase()).flatMap((part) => {
      const reading = lower.find((one) => one.includes(part))
      if (reading === undefined) return []
      const at = reading.indexOf(part)
      return [`${part} in …${reading.slice(Math.max(0, at - 60), at + 60)}…`]
    }),
  )
}

function piecesOf(secret: string): string[] {
  return Array.from({ length: Math.floor(secret.length / piece) }, (_, i) =>
    secret.slice(i * piece, (i + 1) * piece),
  )
}

/** A text with percent-encoding, entities and JSON escapes undone. */
function unescaped(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\\(["\\/])/g, '$1')
}

/** Everything that may be hex, a list of bytes, or base64 at any alignment, decoded. */
function coded(text: string): string[] {
  const hex = (text.match(/(?:[0-9a-f]{2}){8,}/gi) ?? []).flatMap((run) => [run, run.slice(1)])
  const lists = text.match(/(?:\d{1,3},\s*){8,}\d{1,3}/g) ?? []
  const base64 = (text.match(/[\w+/-]{12,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => run.slice(skip)),
  )
  return [
    hex.map((run) => Buffer.from(run, 'hex').toString('latin1')).join('\n'),
    lists.map((run) => String.fromCharCode(...run.split(',').map(Number))).join('\n'),
    base64.map((run) => Buffer.from(run, 'base64').toString('latin1')).join('\n'),
  ]
}
