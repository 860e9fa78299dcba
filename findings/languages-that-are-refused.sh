#!/bin/sh
# accept-language-parser 1.5.0, intl-parse-accept-language 1.0.0, negotiator 1.1.0, on Node 26.10.0.
# By RFC 9110 a language with `q=0` is refused, `*` stands for each other one, and spaces may stand around the `;`.
# accept-language-parser picks the refused language, knows no `*`, and reads a space before the `;` as a language called
# q, with the weight 1. intl-parse-accept-language lists the refused language and leaves out `*`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  accept-language-parser@1.5.0 intl-parse-accept-language@1.0.0 negotiator@1.1.0

cat > find.mjs <<'END'
import parser from 'accept-language-parser'
import intl from 'intl-parse-accept-language'
import Negotiator from 'negotiator'

for (const [header, offered] of [
  ['de;q=0.9,en;q=0.5', ['en', 'de']],
  ['fr,de;q=0', ['de']],
  ['de;q=0,*', ['de', 'en']],
  ['fr,*;q=0.5', ['en']],
  ['de ; q=0.1 , en', ['de', 'en']],
]) {
  console.log(header, 'of', offered.join(' '))
  console.log('  negotiator:', new Negotiator({ headers: { 'accept-language': header } }).language(offered))
  console.log('  accept-language-parser:', parser.pick(offered, header))
  console.log('  its languages:', parser.parse(header).map(({ code, quality }) => `${code} ${quality}`).join(', '))
  console.log('  intl-parse-accept-language:', intl.parseAcceptLanguage(header).join(', '))
}
END
cat > expected <<'END'
de;q=0.9,en;q=0.5 of en de
  negotiator: de
  accept-language-parser: de
  its languages: de 0.9, en 0.5
  intl-parse-accept-language: de, en
fr,de;q=0 of de
  negotiator: undefined
  accept-language-parser: de
  its languages: fr 1, de 0
  intl-parse-accept-language: fr, de
de;q=0,* of de en
  negotiator: en
  accept-language-parser: de
  its languages: * 1, de 0
  intl-parse-accept-language: de
fr,*;q=0.5 of en
  negotiator: en
  accept-language-parser: null
  its languages: fr 1, * 0.5
  intl-parse-accept-language: fr
de ; q=0.1 , en of de en
  negotiator: en
  accept-language-parser: de
  its languages: de 1, q 1, en 1
  intl-parse-accept-language: en, de
END
node find.mjs > seen
diff expected seen && echo 'as found'
