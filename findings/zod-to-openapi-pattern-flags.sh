#!/bin/sh
# @asteasolutions/zod-to-openapi 9.1.0 with zod 4.6.7 and ajv 8.20.0, on Node 26.10.0.
# A regular expression with a flag becomes a pattern with "/i" or "/u" behind its end, which matches nothing: the document
# refuses each value that the schema takes. The pattern of the same expression without a flag is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @asteasolutions/zod-to-openapi@9.1.0 ajv@8.20.0 zod@4.6.7

cat > find.mjs <<'END'
import { extendZodWithOpenApi, OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { Ajv } from 'ajv'
import * as z from 'zod'

extendZodWithOpenApi(z)
for (const [expression, value] of [
  [/^[A-Z]{2}-\d+$/, 'DE-12'],
  [/^[A-Z]{2}-\d+$/u, 'DE-12'],
  [/^[A-Z]{2}-\d+$/i, 'de-12'],
]) {
  const schema = z.string().regex(expression)
  const registry = new OpenAPIRegistry()
  registry.register('Code', schema)
  const { pattern } = new OpenApiGeneratorV31(registry.definitions).generateComponents().components.schemas.Code
  const byDocument = new Ajv().validate({ type: 'string', pattern }, value)
  console.log(`${expression} -> ${pattern}; ${value}: zod ${schema.safeParse(value).success}, document ${byDocument}`)
}
END
cat > expected <<'END'
/^[A-Z]{2}-\d+$/ -> ^[A-Z]{2}-\d+$; DE-12: zod true, document true
/^[A-Z]{2}-\d+$/u -> ^[A-Z]{2}-\d+$/u; DE-12: zod true, document false
/^[A-Z]{2}-\d+$/i -> ^[A-Z]{2}-\d+$/i; de-12: zod true, document false
END
node find.mjs > seen
diff expected seen && echo 'as found'
