#!/bin/sh
# Debian's guile-json 4.7.3-2, with guile-3.0, on Debian 12.
# It writes the control characters of a text as they are, of which it escapes tab and line ends alone: a note with the
# colours of a terminal, read from valid JSON, is written as JSON that other readers refuse. The members of an object
# come out in the reverse order, and a name that came twice is written twice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root guile-json=4.7.3-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.scm <<'END'
(use-modules (json) (ice-9 rdelim))
(let loop ((line (read-line)))
  (unless (eof-object? line)
    (display (scm->json-string (json-string->scm line)))
    (newline)
    (loop (read-line))))
END
cat > find.mjs <<'END'
import { readFileSync } from 'node:fs';

for (const line of readFileSync('written', 'utf8').trimEnd().split('\n')) {
  let read = 'is read';
  try {
    JSON.parse(line);
  } catch {
    read = 'cannot be read';
  }
  console.log(JSON.stringify(line), read);
}
END
cat > documents <<'END'
{"note":"one\ttwo\r\n"}
{"note":"\u001b[31mred\u001b[0m"}
{"note":"\u0001"}
{"id":1,"title":"a","done":true}
{"id":1,"id":2}
END
cat > expected <<'END'
"{\"note\":\"one\\ttwo\\r\\n\"}" is read
"{\"note\":\"\u001b[31mred\u001b[0m\"}" cannot be read
"{\"note\":\"\u0001\"}" cannot be read
"{\"done\":true,\"title\":\"a\",\"id\":1}" is read
"{\"id\":2,\"id\":1}" is read
END
guile --no-auto-compile -L "$(dirname "$(find usr/share -name json.scm)")" find.scm < documents > written
node find.mjs > seen
diff expected seen && echo 'as found'
