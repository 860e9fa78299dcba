#!/bin/sh
# gherkin-formatter 1.2.2, gherkin-io 1.3.0, prettier 3.10.1, prettier-plugin-gherkin 4.0.0, on Node 26.10.0.
# The first two, of one maker, read a feature file and write it in order. A cell with a line break, written as a
# backslash and n, becomes one in the file: its row is two rows, and the last row of the table is gone. The indentation
# within a text is lost, so that YAML is other YAML. prettier keeps all of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  gherkin-formatter@1.2.2 gherkin-io@1.3.0 prettier@3.10.1 prettier-plugin-gherkin@4.0.0

cat > find.mjs <<'END'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import prettier from 'prettier'

const require = createRequire(import.meta.url)
const { read } = require('gherkin-io')
const { format } = require('gherkin-formatter')
const feature = String.raw`Feature: Tasks

  Scenario: Reads a task
    Given a file
      """yaml
      task:
        title: Buy milk
      """
    And these notes
      | id | note          |
      | 1  | first\nsecond |
      | 2  | third         |
`
writeFileSync('tasks.feature', feature)
const [document] = await read('tasks.feature')
const show = (name, text) => console.log(`${name}\n${text.split('\n').slice(4).join('\n').trimEnd()}`)
show('gherkin-formatter', format(document))
show('prettier', await prettier.format(feature, { parser: 'gherkin', plugins: ['prettier-plugin-gherkin'] }))
END
cat > expected <<'END'
gherkin-formatter
      """yaml
      task:
      title: Buy milk
      """
    And these notes
      | id | note   |
      | 1  | first  |
      |    | second |
prettier
      """yaml
      task:
        title: Buy milk
      """
    And these notes
      | id | note         |
      | 1  | first\nsecond |
      | 2  | third        |
END
node find.mjs > seen
diff expected seen && echo 'as found'
