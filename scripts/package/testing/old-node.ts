/** A folder with a `node` that says it is Node 20, and cannot run a program for a newer one. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`

/** The folder; the caller removes it. */
export function oldNode(): string {
  const folder = mkdtempSync(join(tmpdir(), 'old-node-'))
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  const script = [
    '#!/bin/sh',
    '[ "$1" = -e ] || { echo "this is Node 20" >&2; exit 2; }',
    `exec "${process.execPath}" --import "${preload}" "$@"`,
  ]
  writeFileSync(join(folder, 'node'), `${script.join('\n')}\n`, { mode: 0o755 })
  return folder
}
