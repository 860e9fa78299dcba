#!/bin/sh
# http-link-header 1.1.4, on Node 26.10.0.
# By RFC 8288 a title is a quoted string, where a percent sign is itself. Writing one, it encodes signs as in a URL and
# does not decode them when it reads: each trip changes the title again. A `title*` without a language gets English.
# And a space before the comma between two links, which lists of RFC 9110 may have, loses the second link.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . http-link-header@1.1.4

cat > find.mjs <<'END'
import LinkHeader from 'http-link-header'

let link = new LinkHeader()
link.set({ rel: 'next', uri: '/tasks?page=2', title: '50% off "today"' })
for (let trip = 1; trip <= 3; trip++) {
  const header = link.toString()
  link = LinkHeader.parse(header)
  console.log(`trip ${trip}: ${header}, title ${link.refs[0].title}`)
}
console.log('no language:', LinkHeader.parse("</tasks>; rel=next; title*=UTF-8''caf%C3%A9").toString())
for (const comma of [', ', ',', ' , '])
  console.log(`"${comma}":`, JSON.stringify(LinkHeader.parse(`</a>; rel="next"${comma}</b>; rel="last"`).refs))
END
cat > expected <<'END'
trip 1: </tasks?page=2>; rel=next; title="50%25 off %22today%22", title 50%25 off %22today%22
trip 2: </tasks?page=2>; rel=next; title="50%2525 off %2522today%2522", title 50%2525 off %2522today%2522
trip 3: </tasks?page=2>; rel=next; title="50%252525 off %252522today%252522", title 50%252525 off %252522today%252522
no language: </tasks>; rel=next; title*=UTF-8'en'caf%C3%A9
", ": [{"uri":"/a","rel":"next"},{"uri":"/b","rel":"last"}]
",": [{"uri":"/a","rel":"next"},{"uri":"/b","rel":"last"}]
" , ": [{"uri":"/a","rel":"next",", </b>; rel":"last"}]
END
node find.mjs > seen
diff expected seen && echo 'as found'
