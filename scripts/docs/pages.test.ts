/** The pages are consistent: every block is tested, every link has a target, and no sentence appears twice. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandDefinitions, mockCommandDefinition } from '#cli/command-lines.ts'
import { commanderOptionsOf, configurableOptionsByName } from '#cli/flags.ts'
import { mockOptionsSchema } from '#mocks/config/options.ts'
import suite from '../../package.json' with { type: 'json' }
import { exemptInlineCommands } from './testing/exempt.ts'
import { anchorsOf, inlineCodeOf, linksOf, pages } from './testing/pages.ts'
import { isShell } from './testing/reader.ts'

/** Languages of blocks that `data.test.ts`, `typescript.test.ts` and `architecture.test.ts` test, beside those of a shell. */
const executed = ['ts', 'diff', 'json', 'yaml', 'http', 'mermaid']

describe.each(pages)('$path', (page) => {
  test('every block is tested', () => {
    const others = page.blocks.filter((block) => !isShell(block) && !executed.includes(block.language))
    expect(others.map(({ line, language }) => `${line}: ${language}`)).toEqual([])
  })

  test('commands in prose name existing scripts and commands', () => {
    const code = inlineCodeOf(page)
    const whole = code.filter((one) => /^(curl|node) .*[/$]/.test(one) && !(one in exemptInlineCommands))
    expect(whole).toEqual([])
    const scripts = code.flatMap((one) => /^npm run ([\w:-]+)/.exec(one)?.[1] ?? [])
    expect(Object.keys(suite.scripts)).toEqual(expect.arrayContaining(scripts))
    const commands = code.flatMap((one) => /^npx --no-install work-agent-contract (\w+)/.exec(one)?.[1] ?? [])
    expect(commandDefinitions.map(({ name }) => name)).toEqual(expect.arrayContaining(commands))
  })

  test('no command fetches a package by its name, which on npm is free', () => {
    const code = [...inlineCodeOf(page), ...page.blocks.map(({ text }) => text)].join('\n')
    const byName = /(?:npx|npm exec|npm install|npm i)(?: -\S+)* work-agent-contract(?:@\S+)?(?: .*)?$/gm
    const found = [...code.matchAll(byName)].map(([command]) => command)
    expect(
      found.filter((one) => !/--no-install|--package=\.\//.test(one) && !(one in exemptInlineCommands)),
    ).toEqual([])
  })

  test('every link has a target', () => {
    const broken = linksOf(page)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page.path : normalize(join(dirname(page.path), file))
        if (!existsSync(path)) return true
        const there = pages.find((one) => one.path === path)
        return anchor !== undefined && !(there && anchorsOf(there).includes(anchor))
      })
    expect(broken).toEqual([])
  })
})

test('no sentence appears on two pages', () => {
  const seen = new Map<string, string>()
  const twice = pages.flatMap(({ path, prose }) =>
    sentencesOf(prose).flatMap((sentence) => {
      const other = seen.get(sentence)
      seen.set(sentence, path)
      return other !== undefined && other !== path ? [`${other}, ${path}: ${sentence}`] : []
    }),
  )
  expect(twice).toEqual([])
})

/** Sentences of more than a few words, outside of tables. */
function sentencesOf(prose: string): string[] {
  const paragraphs = prose.split(/\n\s*\n|\n(?=[-|#\d])/).filter((text) => !text.startsWith('|'))
  const sentences = paragraphs.flatMap((text) => text.replace(/\s+/g, ' ').split(/(?<=[.:?!]) /))
  return sentences.map((one) => one.trim()).filter((one) => one.split(' ').length > 6)
}

test('every flag has a row, and no cell of it breaks the table', () => {
  const page = readFileSync('docs/flags.md', 'utf8')
  const flags = commandDefinitions.flatMap(({ groups, queries }) =>
    [...Object.values(groups), queries].flatMap(commanderOptionsOf),
  )
  for (const { negate, long } of flags) expect(page).toContain(`${negate ? ', ' : '| '}\`${long}`)
  const rows = page.split('\n').filter((line) => line.startsWith('| `--'))
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|'), row).toHaveLength(6)
  expect([...configurableOptionsByName(mockCommandDefinition).keys()]).toEqual(
    expect.arrayContaining(Object.keys(mockOptionsSchema.shape)),
  )
})

test('the page of dependencies gives a reason for each', () => {
  const { dependencies, devDependencies, peerDependencies } = suite
  const page = readFileSync('docs/dependencies.md', 'utf8')
  const named = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
