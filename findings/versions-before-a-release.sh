#!/bin/sh
# semver-compare 1.0.0, compare-version 0.1.2, compare-versions 6.1.1, semver 7.8.6, on Node 26.10.0.
# All say that they compare versions of Semantic Versioning. compare-version has 2.0.0-rc.1 later than 2.0.0;
# semver-compare has alpha, rc.9 and rc.10 equal, and v2.0.0 and 2.0.0+5 earlier than 2.0.0. satisfies() of
# compare-versions takes versions before a release for ^2.0.0 and reads ranges with a part of a version otherwise than
# npm: 2.1.0 fits >2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  semver-compare@1.0.0 compare-version@0.1.2 compare-versions@6.1.1 semver@7.8.6

cat > find.mjs <<'END'
import compareVersion from 'compare-version'
import { compareVersions, satisfies } from 'compare-versions'
import semver from 'semver'
import semverCompare from 'semver-compare'

const signs = { '-1': '<', 0: '=', 1: '>' }
console.log('semver, compare-versions, semver-compare, compare-version')
for (const [first, second] of [
  ['2.0.0-rc.1', '2.0.0'],
  ['2.0.0-alpha', '2.0.0-rc.1'],
  ['2.0.0-rc.9', '2.0.0-rc.10'],
  ['2.0.0-rc', '2.0.0-rc.1'],
  ['2.0.0+5', '2.0.0'],
  ['v2.0.0', '2.0.0'],
]) {
  const comparers = [semver.compare, compareVersions, semverCompare, compareVersion]
  const found = comparers.map((compare) => signs[compare(first, second)])
  console.log(`${first} ${second}: ${found.join(' ')}`)
}
for (const [version, range] of [
  ['2.0.0-rc.1', '^2.0.0'],
  ['2.1.0-rc.1', '^2.0.0'],
  ['2.1.0', '>2'],
  ['1.5.9', '<=1'],
  ['1.5.9', '1.2.0 - 1.5'],
  ['1.5.9', '1.5'],
]) {
  const found = `semver ${semver.satisfies(version, range)}, compare-versions ${satisfies(version, range)}`
  console.log(`${version} in ${range}: ${found}`)
}
END
cat > expected <<'END'
semver, compare-versions, semver-compare, compare-version
2.0.0-rc.1 2.0.0: < < < >
2.0.0-alpha 2.0.0-rc.1: < < = <
2.0.0-rc.9 2.0.0-rc.10: < < = <
2.0.0-rc 2.0.0-rc.1: < < = <
2.0.0+5 2.0.0: = = < =
v2.0.0 2.0.0: = = < =
2.0.0-rc.1 in ^2.0.0: semver false, compare-versions true
2.1.0-rc.1 in ^2.0.0: semver false, compare-versions true
2.1.0 in >2: semver false, compare-versions true
1.5.9 in <=1: semver true, compare-versions false
1.5.9 in 1.2.0 - 1.5: semver true, compare-versions false
1.5.9 in 1.5: semver true, compare-versions false
END
node find.mjs > seen
diff expected seen && echo 'as found'
