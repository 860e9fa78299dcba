/** The page of all flags, from the tables that the commands read. Pure: the same tables give the same page. */
import { type CommandLine, camel, type Flag, variable } from '#cli/flags.ts'

const beginning = `# Flags

Made from the tables that the commands read themselves, by \`npm run flag-reference\`; \`--help\` prints the same.

Each flag is also an environment variable, and an entry of a JSON file that \`--config FILE\` names. Flags win over variables, variables over the file. What is unknown or malformed ends in one line and exit 2. A list is separated by commas in its variable, and an array in the file; a switch is \`true\` or \`false\` in both.
`

/** The page. */
export function flagsPage(lines: readonly CommandLine[]): string {
  return [beginning, ...lines.map(sectionOf)].join('\n')
}

/** What the commands are called in a clone. */
const inClone: Readonly<Record<string, string>> = {
  mock: 'npm start -- [flags]',
  verify: 'npm run verify -- [base-url] [flags]',
  check: 'npm run check -- [flags] -- [command...]',
}

function sectionOf(line: CommandLine): string {
  const { name, summary, variables, flags } = line
  const rows = flags.map((flag) => rowOf(flag, variables))
  const file = cells(
    '`--config <FILE>`',
    `\`${variable(variables, 'config')}\``,
    '',
    'read options from a JSON file',
  )
  return `## ${name}

${summary}${inClone[name] ? ` In a clone: \`${inClone[name]}\`.` : ''}

| Flag | Variable | In the file | What it does |
|---|---|---|---|
${[...rows, file].join('\n')}
`
}

function rowOf({ name, value, help, repeatable, negatable, typedOnly }: Flag, variables: string): string {
  const typed = `\`--${name}${value ? ` ${value}` : ''}\`${negatable ? `, \`--no-${name}\`` : ''}`
  const elsewhere = typedOnly ? ['', ''] : [`\`${variable(variables, name)}\``, `\`${camel(name)}\``]
  return cells(typed, ...elsewhere, repeatable ? `${help}; repeatable` : help)
}

const cells = (...texts: string[]) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
