#!/usr/bin/env node
/** The installed command. Plain enough for any Node, so that one that is too old is told so in one line. */
var found = process.versions.node.split('.').map(Number)
if (found[0] < 22 || (found[0] === 22 && found[1] < 19)) {
  process.stderr.write(
    `work-agent-contract needs Node 22.19 or later; this is Node ${process.versions.node}\n`,
  )
  process.exit(2)
}
import('./cli/cli.js')
