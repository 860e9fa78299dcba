/** Takes secrets out of everything that leaves the suite, in whatever form they come back. */

/** A secret and the name that is shown in its place. */
export interface Secret {
  readonly value: string
  readonly name: string
}

/** Shorter texts are no secrets that could be told from ordinary words. */
const shortest = 4

/** Builds the function that replaces each secret by its name: plain, URL-encoded, in JSON, hex or base64. */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const replacements = secrets
    .filter(({ value }) => value.length >= shortest)
    .flatMap(({ value, name }) => formsOf(value).map((form) => ({ form, name })))
    .sort((a, b) => b.form.length - a.form.length)
  return (text) => replacements.reduce((safe, { form, name }) => safe.replaceAll(form, name), text)
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    html,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortest)
}

/** What a secret looks like inside a longer base64 text, at one of its three alignments. */
function base64At(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const whole = Math.floor(padded.length / 3) * 3
  const text = padded
    .subarray(0, whole)
    .toString('base64')
    .slice(offset === 0 ? 0 : 4)
  return text.length >= 8 ? [text, text.replaceAll('+', '-').replaceAll('/', '_')] : []
}
