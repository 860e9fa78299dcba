#!/bin/sh
# zod-schema-faker 2.1.1 and zocker 3.0.0 with zod 4.6.7 and @faker-js/faker 10.6.0, on Node 26.10.0.
# Both make values that fit a schema. A date with a first and a last day comes from zod-schema-faker anywhere in 500,000
# years, and z.int32() from zocker is a number of up to 53 bits: of 200 values the schema refuses more than 50. Each gets the
# other's case right, and limits that are written by min() and max() of a number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @faker-js/faker@10.6.0 zocker@3.0.0 zod@4.6.7 zod-schema-faker@2.1.1

cat > find.mjs <<'END'
import { faker } from '@faker-js/faker'
import * as z from 'zod'
import { fake, setFaker } from 'zod-schema-faker/v4'
import { zocker } from 'zocker'

setFaker(faker)
const schemas = {
  'number from 1 to 9': z.number().min(1).max(9),
  'date in 2024': z.date().min(new Date('2024-01-01')).max(new Date('2024-12-31')),
  'date from 2024': z.date().min(new Date('2024-01-01')),
  int32: z.int32(),
}
const makers = { 'zod-schema-faker': fake, zocker: (schema) => zocker(schema).generate() }
for (const [name, schema] of Object.entries(schemas))
  for (const [library, make] of Object.entries(makers)) {
    const values = Array.from({ length: 200 }, () => make(schema))
    const refused = values.filter((value) => !schema.safeParse(value).success).length
    console.log(`${name}: ${library}: ${refused ? `more than 50 of 200 refused: ${refused > 50}` : 'all fit'}`)
  }
END
cat > expected <<'END'
number from 1 to 9: zod-schema-faker: all fit
number from 1 to 9: zocker: all fit
date in 2024: zod-schema-faker: more than 50 of 200 refused: true
date in 2024: zocker: all fit
date from 2024: zod-schema-faker: more than 50 of 200 refused: true
date from 2024: zocker: all fit
int32: zod-schema-faker: all fit
int32: zocker: more than 50 of 200 refused: true
END
node find.mjs > seen
diff expected seen && echo 'as found'
