#!/bin/sh
# fastjsonschema 2.22.2; jsonschema 4.25.1.
# fastjsonschema fills in defaults. Those of a branch of `anyOf` or `oneOf` that does not fit stay in the value when
# the next branch is tried: a payment in EUR is given out as one in USD, and a value that fits one branch is refused
# by it for what the other has filled in. jsonschema accepts both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet fastjsonschema==2.22.2 jsonschema==4.25.1

cat > find.py <<'END'
import fastjsonschema
import jsonschema

us = {"properties": {"currency": {"default": "USD"}, "bank": {"pattern": "^US"}}}
eu = {"properties": {"currency": {"default": "EUR"}, "bank": {"pattern": "^DE"}}}
strict = {"properties": {"bank": {"pattern": "^DE"}}, "additionalProperties": False}
for name, schema in (
    ("anyOf", {"anyOf": [us, eu]}),
    ("anyOf, turned", {"anyOf": [eu, us]}),
    ("oneOf", {"oneOf": [us, strict]}),
):
    accepted = jsonschema.Draft7Validator(schema).is_valid({"bank": "DE1"})
    try:
        filled = fastjsonschema.compile(schema)({"bank": "DE1"})
    except fastjsonschema.JsonSchemaValueException as error:
        filled = error.message
    print(f"{name}: jsonschema {accepted}, fastjsonschema {filled}")
END
cat > expected <<'END'
anyOf: jsonschema True, fastjsonschema {'bank': 'DE1', 'currency': 'USD'}
anyOf, turned: jsonschema True, fastjsonschema {'bank': 'DE1', 'currency': 'EUR'}
oneOf: jsonschema True, fastjsonschema data must be valid exactly by one definition (0 matches found)
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
