#!/bin/sh
# openapi-format 1.33.6, @redocly/cli 2.77.0, on Node 26.10.0.
# `unusedComponents` removes the schemas that nothing uses. Two kinds of subtypes that a discriminator names count as
# unused: those that point to their parent by `allOf`, as the OpenAPI Specification shows it, and those that its mapping
# has by their name. The parent stays, so clients made from the result do not know them. redocly keeps both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-format@1.33.6 @redocly/cli@2.77.0

cat > api.json <<'END'
{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1" },
  "paths": { "/pets": { "get": { "responses": { "200": { "description": "Some", "content": { "application/json": {
    "schema": { "anyOf": [{ "$ref": "#/components/schemas/Pet" }, { "$ref": "#/components/schemas/Vehicle" }] } } } } } } } },
  "components": { "schemas": {
    "Pet": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" } },
      "discriminator": { "propertyName": "kind" } },
    "Cat": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "properties": { "lives": { "type": "integer" } } }] },
    "Vehicle": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" } },
      "discriminator": { "propertyName": "kind", "mapping": { "car": "#/components/schemas/Car", "bus": "Bus" } } },
    "Car": { "allOf": [{ "$ref": "#/components/schemas/Vehicle" }] },
    "Bus": { "allOf": [{ "$ref": "#/components/schemas/Vehicle" }] },
    "Forgotten": { "type": "object" } } } }
END
echo '{ "unusedComponents": ["schemas"] }' > filter.json
node_modules/.bin/openapi-format api.json --output openapi-format.json --filterFile filter.json > log 2>&1
REDOCLY_TELEMETRY=off node_modules/.bin/redocly bundle api.json --remove-unused-components --output redocly.json 2>> log
for name in redocly openapi-format; do
  node -p "'$name: ' + Object.keys(require('./$name.json').components.schemas).sort().join(', ')"
done > seen
cat > expected <<'END'
redocly: Bus, Car, Cat, Pet, Vehicle
openapi-format: Car, Pet, Vehicle
END
diff expected seen && echo 'as found'
