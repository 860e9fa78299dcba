/** Runs a program to its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Returns the exit code and everything that was printed. */
export async function run(
  folder: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  return { code, said }
}
