/**
 * The code of the pages type-checks and runs in a project that has the package installed. The package has the
 * changes of `CONTRIBUTING.md` applied, so that they are tested too.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProcess } from '#cli/testing/run.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import suite from '../../package.json' with { type: 'json' }
import { exemptPrograms } from './testing/exempt.ts'
import { createUserProject, repositoryFolder, sourceFileByExport } from './testing/folder.ts'
import { applyDiffBlock, pages } from './testing/pages.ts'
import { type RunningPageMock, startDefaultMock } from './testing/reader.ts'

const blocks = pages.flatMap((page) => page.blocks)
const changes = blocks.filter(({ language }) => language === 'diff')
const files = blocks
  .filter(({ language }) => language === 'ts')
  .map(({ page, line, file: name, text }) => {
    const isTest = text.includes("from 'vitest'") || text.includes('work-agent-contract/vitest')
    return {
      file: `${page.replaceAll('/', '-')}-${line}${isTest ? '.test' : ''}.ts`,
      text,
      isTest,
      name: `${page} ${name}`,
    }
  })
const tests = files.filter(({ isTest }) => isTest)
const programs = files.filter(({ isTest, name }) => !isTest && !(name in exemptPrograms))

let folder: string
let copy: string
let mock: RunningPageMock

beforeAll(async () => {
  ;({ folder, copy } = createUserProject())
  mock = await startDefaultMock()
  const include = ['*.ts', 'copy/*.ts']
  // The package is resolved as in any project, not by the paths of this repository.
  const options = {
    extends: join(repositoryFolder, 'tsconfig.json'),
    compilerOptions: { paths: {} },
    include,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  for (const { file, text } of files)
    writeFileSync(join(folder, file), text.replaceAll(':4402', `:${mock.port}`))
  for (const change of changes) applyDiffBlock(copy, change)
  cpSync('scripts/docs/testing/extended.ts', join(copy, 'extended.ts'))
})

afterAll(async () => {
  await mock.stop()
  rmSync(folder, { recursive: true })
})

test('the installed package has the exports of the real one', () => {
  const modules = Object.keys(suite.exports).filter((name) => !name.endsWith('.json'))
  expect(Object.keys(sourceFileByExport)).toEqual(modules)
})

test.runIf(isExhaustiveTestRun)('it type-checks', async () => {
  const { code, said } = await runProcess(folder, 'tsc', ['--project', '.'])
  expect([code, said]).toEqual([0, ''])
})

test(`${tests.length} blocks are tests, and pass`, async () => {
  const { code, said } = await runProcess(folder, 'vitest', [
    'run',
    '--no-color',
    '--no-isolate',
    '--maxWorkers=1',
  ])
  expect(code, said).toBe(0)
  expect(said).toContain(`Test Files  ${tests.length} passed (${tests.length})`)
})

test.each(programs)('$file runs', async ({ file }) => {
  const { code, said } = await runProcess(folder, process.execPath, [file])
  expect(code, said).toBe(0)
})

test('the changes of CONTRIBUTING.md add a field, a requirement, a defect, a fault and a scenario that work', async () => {
  const { code, said } = await runProcess(copy, process.execPath, ['extended.ts'])
  expect(code, said).toBe(0)
  expect(JSON.parse(said)).toEqual({
    efforts: [null, null],
    ...{ requirement: true, proven: true, objections: [] },
    ...{ fault: 'no_credits', scenario: 'no_credits' },
  })
})
