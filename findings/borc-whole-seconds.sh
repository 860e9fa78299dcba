#!/bin/sh
# borc 3.0.0, cbor-x 1.6.9, on Node 26.10.0.
# A Date in CBOR is a tagged number of seconds, which may have a fraction (RFC 8949, 3.4.2). cbor-x writes it so, and
# borc reads it. borc writes whole seconds, rounded and not cut off: 23:59:59.5 comes back as midnight of the next day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . borc@3.0.0 cbor-x@1.6.9

cat > find.mjs <<'END'
import borc from 'borc'
import { decode, encode } from 'cbor-x'

for (const text of ['2026-12-01T10:00:00.000Z', '2026-12-01T10:00:00.250Z', '2026-12-31T23:59:59.500Z']) {
  const date = new Date(text)
  console.log(text)
  console.log('  written and read by cbor-x:', decode(encode(date)).toISOString())
  console.log('  written by cbor-x, read by borc:', borc.decode(encode(date)).toISOString())
  console.log('  written and read by borc:', borc.decode(borc.encode(date)).toISOString())
}
END
cat > expected <<'END'
2026-12-01T10:00:00.000Z
  written and read by cbor-x: 2026-12-01T10:00:00.000Z
  written by cbor-x, read by borc: 2026-12-01T10:00:00.000Z
  written and read by borc: 2026-12-01T10:00:00.000Z
2026-12-01T10:00:00.250Z
  written and read by cbor-x: 2026-12-01T10:00:00.250Z
  written by cbor-x, read by borc: 2026-12-01T10:00:00.250Z
  written and read by borc: 2026-12-01T10:00:00.000Z
2026-12-31T23:59:59.500Z
  written and read by cbor-x: 2026-12-31T23:59:59.500Z
  written by cbor-x, read by borc: 2026-12-31T23:59:59.500Z
  written and read by borc: 2027-01-01T00:00:00.000Z
END
node find.mjs > seen
diff expected seen && echo 'as found'
