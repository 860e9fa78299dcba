/** Arguments that a shell makes of a curl line. */
import { execFileSync } from 'node:child_process'

/** Parses a curl line into the arguments that a shell would pass to curl, with the given variables set. */
export function curlArgumentsOf(line: string, env: Record<string, string | undefined> = {}): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}`
  const printed = execFileSync('sh', ['-c', script], { env: { ...process.env, ...env }, encoding: 'latin1' })
  return printed.split('\0').slice(0, -1).map(textOf)
}

/** A text of bytes, in which U+DCFF stands for a byte that is not UTF-8. */
function textOf(bytes: string): string {
  const parts = bytes.split('\xff').map((part) => Buffer.from(part, 'latin1').toString())
  return parts.join('\udcff')
}
