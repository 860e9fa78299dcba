/** Commands of the pages that the tests do not execute, each with the reason. All others are executed. */

/** Commands of shell blocks, as written. */
export const exemptCommands: Readonly<Record<string, string>> = {
  'npm ci': 'would replace the dependencies that the test runs on; they are installed already',
  'npm ci && npm start': 'the same; other blocks run `npm start`',
  'npm ci && npm test': 'the same; `npm test` runs this very test',
  'npm test': 'runs this very test',
  'npm pack --pack-destination /tmp': 'builds the package; the test of the package packs it',
  'npm install --save-dev /tmp/work-agent-contract-0.1.0.tgz':
    'installs from a registry; the test of the package installs the tarball',
  'npm run binary -- ./work-agent-contract': 'builds the executable; the test of the executable builds it',
  './work-agent-contract mock': 'the same; the test of the executable runs it',
}

/** Commands in the middle of a text. */
export const exemptMentions: Readonly<Record<string, string>> = {
  'node --expose-gc scripts/bench/rows.ts': 'how a decision was measured; takes a minute',
}
