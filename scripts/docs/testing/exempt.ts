/** What stands on the pages and is not executed here, each with the reason. Anything else is. */

/** Commands of shell blocks, as they stand there. */
export const exemptCommands: Readonly<Record<string, string>> = {
  'npm ci': 'would replace the dependencies that the test runs on; whoever runs it has done so',
  'npm pack --pack-destination /tmp': 'builds what is published; the test of the package packs it',
  'npm install --save-dev /tmp/work-agent-contract-0.1.0.tgz':
    'installs from a registry; the test of the package installs the tarball',
}

/** Commands in the middle of a text. */
export const exemptMentions: Readonly<Record<string, string>> = {
  'node --expose-gc scripts/bench/rows.ts': 'how a decision was measured; takes a minute',
}
