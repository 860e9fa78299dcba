/** Temporary folders of tests, and the files in them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A folder, and its files by name. */
function created() {
  const folder = mkdtempSync(join(tmpdir(), 'command-'))
  const file = (name: string) => join(folder, name)
  return {
    folder,
    file,
    read: (name: string) => readFileSync(file(name), 'utf8'),
    json: (name: string) => JSON.parse(readFileSync(file(name), 'utf8')),
    /** Writes a text, or anything else as JSON; returns the path. */
    write(name: string, content: unknown): string {
      const isText = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(file(name), isText ? content : JSON.stringify(content))
      return file(name)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Creates a temporary folder that is removed when the test ends. */
export function createTestFolder() {
  const one = created()
  onTestFinished(one.remove)
  return one
}

/** Creates a temporary folder that is removed after all tests of the file. */
export function createSharedFolder() {
  const one = created()
  afterAll(one.remove)
  return one
}
