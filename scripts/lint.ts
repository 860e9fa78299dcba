/**
 * Lint and format of the files that have not passed yet; the file named by the argument keeps which have. Biome reads
 * each file alone, so one that has not changed passes again.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [record = ''] = process.argv.slice(2)
const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', listed, { encoding: 'utf8' })
  .split('\0')
  .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile())

/** What decides how a file is checked: rules, and the version of Biome. */
const rules = ['biome.json', 'package.json'].map((file) => readFileSync(file, 'utf8')).join('\0')
const prints = new Map(
  files.map((file) => [file, hash('sha256', `${rules}\0${file}\0${readFileSync(file, 'utf8')}`)]),
)
const passed = new Set<string>(existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : [])
const left = files.filter((file) => !passed.has(prints.get(file) ?? ''))

const flags = ['ci', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true']
const { status } =
  left.length > 0 ? spawnSync('biome', [...flags, ...left], { stdio: 'inherit' }) : { status: 0 }
console.log(`${files.length - left.length} of ${files.length} files have not changed since they passed`)
if (status === 0) {
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify([...prints.values()]))
}
process.exitCode = status ?? 1
