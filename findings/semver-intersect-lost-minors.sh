#!/bin/sh
# semver-intersect 1.5.0, semver 7.8.6, on Node 26.10.0.
# It gives the range of the versions that fit all given ranges. Where these are bounded by a minor version of the same
# major, as >=1.2.0 <1.9.0 with ^1.4.0, it gives ~1.4.0 in the place of >=1.4.0 <1.9.0: 1.5 to 1.8, which fit both, do
# not fit what it gives.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . semver-intersect@1.5.0 semver@7.8.6

cat > find.mjs <<'END'
import semver from 'semver'
import { intersect } from 'semver-intersect'

const versions = Array.from({ length: 12 }, (_, minor) => `1.${minor}.3`)
for (const ranges of [
  ['^1.2.0', '^1.4.0'],
  ['>=1.2.0 <2.0.0', '^1.4.0'],
  ['>=1.2.0 <1.9.0', '^1.4.0'],
  ['>=1.2.0 <1.5.0', '^1.4.0'],
  ['^1.4.0', '<1.9.0'],
  ['>=1.4.0', '<1.6.0'],
]) {
  const given = intersect(...ranges)
  const both = versions.filter((version) => ranges.every((range) => semver.satisfies(version, range)))
  const lost = both.filter((version) => !semver.satisfies(version, given))
  console.log(`${ranges.join(' and ')}: ${given}, lost ${lost.join(' ') || 'none'}`)
}
END
cat > expected <<'END'
^1.2.0 and ^1.4.0: ^1.4.0, lost none
>=1.2.0 <2.0.0 and ^1.4.0: ^1.4.0, lost none
>=1.2.0 <1.9.0 and ^1.4.0: ~1.4.0, lost 1.5.3 1.6.3 1.7.3 1.8.3
>=1.2.0 <1.5.0 and ^1.4.0: ~1.4.0, lost none
^1.4.0 and <1.9.0: ~1.4.0, lost 1.5.3 1.6.3 1.7.3 1.8.3
>=1.4.0 and <1.6.0: ~1.4.0, lost 1.5.3
END
node find.mjs > seen
diff expected seen && echo 'as found'
