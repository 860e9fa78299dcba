/**
 * The package as users get it: packed, installed into an empty project, and used on every supported Node. In the gate
 * it is unpacked beside its dependencies, since npm takes longer than all of the tests.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { publint } from 'publint'
import { subset } from 'semver'
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { createSharedFolder } from '#cli/testing/folder.ts'
import { operationIds } from '#contract/operation.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import manifest from '../../package.json' with { type: 'json' }
import * as consumers from './testing/consumers.ts'
import {
  expectMockAndPageServed,
  installedCommandOf,
  installNodeVersion,
  runOnNode,
  runOnNodeOrThrow,
  startInstalledMock,
} from './testing/node.ts'
import {
  addedPackages,
  createProjectWithPackages,
  installedPackageFilesOf,
  installTarball,
  packWorkingTree,
  unpackTarball,
} from './testing/tarball.ts'

vi.setConfig({ hookTimeout: 180_000 })

const own = String(process.versions.node.split('.')[0])
/** The Nodes to try. The others have to be downloaded. */
const supported = isExhaustiveTestRun ? ['22.19.0', '24', own] : [own]

const { folder } = createSharedFolder()
const project = join(folder, 'project')
const typed = join(folder, 'typed')
const withPeers = join(folder, 'with-peers')
const bin = join(project, 'node_modules/work-agent-contract/dist/bin.js')
const typesOfNode = ['@types/node', 'undici-types']
const nodes = new Map<string, string>()
let tarball: string

/** The reason why packages cannot be installed; undefined if they can be. */
let offline: string | undefined

beforeAll(async () => {
  const fetched = supported.map(async (version) => nodes.set(version, await installNodeVersion(version)))
  const installed = packWorkingTree(
    folder,
    isExhaustiveTestRun ? undefined : join(inject('built'), 'dist'),
  ).then(async (path) => {
    tarball = path
    await (isExhaustiveTestRun
      ? installTarball(tarball, project, process.execPath)
      : unpackTarball(tarball, project))
  })
  try {
    await Promise.all([installed, ...fetched])
  } catch (error) {
    await Promise.allSettled([installed, ...fetched])
    offline = /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH)\b/.exec(String(error))?.[0]
    if (offline) return
    throw error
  }
  createProjectWithPackages(project, typed, ...typesOfNode)
  createProjectWithPackages(project, withPeers, ...typesOfNode, 'msw', 'vitest', '@faker-js/faker')
  writeFileSync(join(project, 'entries.mjs'), consumers.entriesScript)
  writeFileSync(join(withPeers, 'peers.mjs'), consumers.peersScript)
  writeFileSync(join(withPeers, 'service.test.mjs'), consumers.vitestTestText)
})
beforeEach(({ skip }) => {
  if (offline) skip(`the npm registry cannot be reached: ${offline}`)
})

test('the tarball contains the build and the documentation, and no tests', () => {
  const files = installedPackageFilesOf(project)
  expect(files).toContain('dist/bin.js')
  const kept =
    /^(dist\/(.+\.js|cli\/NOTICES\.txt|.+\.d\.ts|(openapi|report\.schema)\.json)|docs\/.+\.md|README\.md|LICENSE|package\.json)$/
  expect(files.filter((file) => !kept.test(file) || /\.test\.|testing\/|self-proof\//.test(file))).toEqual([])
})

test('the licences of what is in the page are there', () => {
  const notices = readFileSync(join(dirname(bin), 'cli/NOTICES.txt'), 'utf8')
  expect(notices).toMatch(/^preact \d/m)
})

test('the tarball and its installation are within the documented sizes', () => {
  const claim = /tarball is under (\d+) kB\. It installs to under ([\d.]+) MB, including (\d+) dependencies/
  const [, kilobytes, megabytes, others] = claim.exec(readFileSync('docs/dependencies.md', 'utf8')) ?? []
  const brought = addedPackages(project)
  const packed = statSync(tarball).size / 1e3
  const installed = `${brought.packages.length} packages, ${brought.megabytes.toFixed(1)} MB`
  if (isExhaustiveTestRun) console.log(`tarball: ${Math.round(packed)} kB; installed: ${installed}`)
  expect(packed).toBeLessThan(Number(kilobytes))
  expect(brought.packages.length - 1).toBeLessThanOrEqual(Number(others))
  expect(brought.megabytes).toBeLessThan(Number(megabytes))
})

test('every dependency supports every Node that the package supports', () => {
  for (const home of addedPackages(project).packages) {
    const { name, engines } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    expect([name, subset(manifest.engines.node, engines?.node ?? '*')]).toEqual([name, true])
  }
})

test('publint finds nothing', async () => {
  const pkgDir = join(project, 'node_modules/work-agent-contract')
  expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([])
})

test.runIf(isExhaustiveTestRun)(
  'are-the-types-wrong finds nothing, for a package of ES modules',
  async () => {
    // By its path: the condition `development`, which vitest sets, leads to its sources, which Node does not translate.
    const path = resolve('node_modules/@arethetypeswrong/core/dist/index.js')
    const { checkPackage, createPackageFromTarballData }: typeof import('@arethetypeswrong/core') =
      await import(path)
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
    if (!analysis.types) throw new Error('no types')
    // Like its profile `esm-only`: Node 10 is too old, and `require` of ES modules, which it does not know yet,
    // is tested on each Node below.
    const ignored = ['node10', 'node16-cjs']
    expect(
      analysis.problems.filter(
        (problem) => !('resolutionKind' in problem && ignored.includes(problem.resolutionKind)),
      ),
    ).toEqual([])
  },
)

describe
  .runIf(isExhaustiveTestRun)
  .each(Object.keys(consumers.moduleResolutions) as (keyof typeof consumers.moduleResolutions)[])(
  'under %s',
  (resolution) => {
    test.each([
      ['without the peers, declarations included', typed, consumers.typesProgram, true],
      ['of the entries for msw and vitest', withPeers, consumers.peerTypesProgram, false],
    ])('types resolve and compile: %s', async (_, project, source, declarations) => {
      const compiled = await consumers.typeCheckConsumer({ project, source, resolution, declarations })
      expect(compiled).toEqual({ status: 0, stdout: '', stderr: '' })
    })
  },
)

describe.each(supported)('on Node %s', (version) => {
  const node = () => nodes.get(version) ?? ''

  const npx = (...args: string[]) => runOnNode(node(), project, ...installedCommandOf(project), ...args)

  test('the mock starts, answers, serves its page and stops', async () => {
    const { ready, child } = await startInstalledMock(node(), project)
    try {
      await expectMockAndPageServed(ready)
    } finally {
      child.kill()
    }
    await vi.waitFor(() => expect(fetch(ready.url)).rejects.toThrow('fetch failed'), { timeout: 10_000 })
  })

  // In the gate action.test.ts runs both, and the mock shows that the installed command starts.
  test.runIf(isExhaustiveTestRun).each([
    ['verify tests the embedded mock', 'verify --quiet'],
    [
      'check tests a client',
      `check --quiet --scenario deleted-key -- node ${resolve('examples/client/main.ts')}`,
    ],
  ])('%s', async (_, call) => {
    const { status, stdout } = await npx(...call.split(' '))
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^PASSED: \d+ passed, 0 failed/)])
  })

  test('every entry except those for optional peers loads without the peers', async () => {
    expect(JSON.parse(await runOnNodeOrThrow(node(), project, 'node', 'entries.mjs'))).toEqual({
      credits: 3,
      operations: operationIds.length,
      examples: ['first', 'second'],
      collections: true,
      openapi: ['3.1.0', 'function'],
      schema: 'Report of a conformance run',
      required: true,
      msw: expect.stringMatching(/^ERR_MODULE_NOT_FOUND Cannot find package 'msw' imported from /),
      vitest: expect.stringMatching(/^ERR_MODULE_NOT_FOUND Cannot find package 'vitest' imported from /),
      handlers: 'handlers() needs msw, which is not installed: npm install --save-dev msw',
      task: 'Fixtures need @faker-js/faker, which is not installed: npm install --save-dev @faker-js/faker',
    })
  })

  test('an error that nobody catches is printed with a short line of the source', async () => {
    const source = "import { createMock } from 'work-agent-contract'; createMock({ credits: -1 })"
    const { stderr } = await runOnNode(node(), project, 'node', '--input-type=module', '--eval', source)
    expect(stderr).toMatch(/^TypeError: credits takes a number of credits.*\n +at createMock/m)
    expect(stderr.length).toBeLessThan(2000)
  })

  test('handlers answer if msw is installed, and fixtures are drawn if faker is', async () => {
    expect(await runOnNodeOrThrow(node(), withPeers, 'node', 'peers.mjs')).toBe('7\n8\nfailed\n')
  })

  // The suite of what is packed runs on the own Node in the tests of docs/backend-teams.md.
  test.runIf(isExhaustiveTestRun)('the suite runs if vitest is installed', async () => {
    const vitest = join(withPeers, 'node_modules/vitest/vitest.mjs')
    const printed = await runOnNodeOrThrow(node(), withPeers, 'node', vitest, 'run', '-t', 'ACCEPTS-whoami ')
    expect(printed).toMatch(/Tests +1 passed/)
  })
})

test.each([
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['23.0.0', true],
  ['100.0.0', true],
])('on Node %s the command runs: %s; if not, it prints the reason in one line', (version, fine) => {
  const did: string[] = []
  const process = {
    versions: { node: version },
    stderr: { write: (text: string) => did.push(text) },
    exit(code: number) {
      throw new Error(`exit ${code}`)
    },
  }
  const text = readFileSync(bin, 'utf8').replace('import(', 'load(')
  const begin = () => runInNewContext(text, { process, load: (file: string) => did.push(file) })
  if (fine) begin()
  else expect(begin).toThrow('exit 2')
  expect(did).toEqual([fine ? './cli/cli.js' : tooOld(version)])
})

test.runIf(isExhaustiveTestRun)('a real Node 20 prints the reason too', async () => {
  const old = await installNodeVersion('20')
  const version = (await runOnNodeOrThrow(old, project, 'node', '--version')).trim().slice(1)
  const expected = { status: 2, stdout: '', stderr: tooOld(version) }
  for (const command of ['mock', 'verify', 'check'])
    expect(await runOnNode(old, project, 'node', bin, command)).toEqual(expected)
})

const tooOld = (version: string) => `work-agent-contract needs Node 22.19 or later; this is Node ${version}\n`
