/** Commands of the pages that the tests do not execute, each with the reason. All others are executed. */

/** The suite on the backend in Python, which listens on a port of its own. */
const judgePython = String.raw`npm run verify -- http://127.0.0.1:4500 --states-url http://127.0.0.1:4500/states \
  --api-key wak_acme_for_local_use --other-api-key wak_globex_for_local_use \
  --session-cookie session=was_acme_for_local_use --other-session-cookie session=was_globex_for_local_use \
  --extended on --max-credits 20 --require-complete`

const judgeNode = judgePython
  .replaceAll('4500', '4600')
  .replace('--require', '--consistency 100ms --run-timeout 1500ms --require')
  .concat(' --strict --explore 3s')

const judgeDjango = judgePython
  .replaceAll('4500', '4700')
  .replace('--require-complete', '--consistency 500ms')

/** The commands in shell blocks of the pages that the tests do not run, each as written and with the reason. */
export const exemptCommands: Readonly<Record<string, string>> = {
  'npm ci': 'would replace the dependencies that the test runs on; they are installed already',
  'npm ci && npm start': 'the same; other blocks run `npm start`',
  'npm test': 'runs this very test',
  'npm pack --pack-destination ../your-project': 'builds the package; the test of the package packs it',
  'npm install --save-dev ./work-agent-contract-0.1.0.tgz':
    'installs from a registry; the test of the package installs the tarball',
  'npm run binary -- ./work-agent-contract': 'builds the executable; the test of the executable builds it',
  './work-agent-contract mock': 'the same; the test of the executable runs it',
  'haproxy -f haproxy.cfg': 'needs HAProxy; the test of the fleet runs it',
  'npx --no-install work-agent-contract proxy --upstream https://staging.example --har staging.har --report html=verdict.html':
    'forwards until it is stopped; its own tests run it',
  'python3 service.py': 'needs Python; the test of the backend runs it',
  [judgePython]: 'the same',
  'npm install hono @hono/node-server': 'installs from a registry; both are installed here',
  'node server.ts': 'the test of the backend runs it',
  [judgeNode]: 'the same',
  [judgeDjango]: 'needs Python and Django',
  'curl $MOCK/__admin/requests/1': 'an earlier example clears the journal; history.test.ts asks for one',
  "curl -X POST $MOCK/__admin/requests/1/send -H 'Content-Length: 0'": 'the same',
  'curl $MOCK/__admin/tasks/task_ezgxmqkj0tg0543w/finish -H "$KEY" --json \'{"outcome":"failed"}\'':
    'needs a task with an unfinished run; tests of the control routes have one',
  'curl $MOCK/__admin/restore --json \'{"state":"state=q1Yq"}\'':
    'a real link has a thousand characters and more; history.test.ts restores one',
}

/** The programs on pages that the tests do not run, by page and file, each with the reason. */
export const exemptPrograms: Readonly<Record<string, string>> = {
  'docs/browsers.md page.ts': 'needs a service worker; the test of the page runs it in a browser',
}

/** The commands in the running text of the pages that the tests do not run, each with the reason. */
export const exemptInlineCommands: Readonly<Record<string, string>> = {
  'npx work-agent-contract': 'the page says what it would fetch',
}
