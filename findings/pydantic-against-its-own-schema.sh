#!/bin/sh
# pydantic 2.13.5; jsonschema-rs 0.58.3 with formats.
# The JSON that a type gives out should fit the JSON Schema that the type gives out for it. A Decimal that is written
# with an exponent, as after normalize(), misses its `pattern`; a datetime without a zone, a time and a timedelta with
# a fraction of a second miss their `format`; two flags in one miss their `enum`. A test that checks responses against
# the document accuses the service.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet pydantic==2.13.5 jsonschema-rs==0.58.3

cat > find.py <<'END'
import json
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import IntFlag

import jsonschema_rs
from pydantic import TypeAdapter


class Access(IntFlag):
    READ = 1
    WRITE = 2


for value in (
    Decimal("100"),
    Decimal("100").normalize(),
    date(2026, 1, 2),
    datetime(2026, 1, 2, tzinfo=timezone.utc),
    datetime(2026, 1, 2),
    time(12),
    timedelta(seconds=2),
    timedelta(seconds=1.5),
    Access.READ,
    Access.READ | Access.WRITE,
):
    adapter = TypeAdapter(type(value))
    validator = jsonschema_rs.validator_for(adapter.json_schema(mode="serialization"), validate_formats=True)
    text = adapter.dump_json(adapter.validate_python(value)).decode()
    print(f"{type(value).__name__} {text}: {validator.is_valid(json.loads(text))}")
END
cat > expected <<'END'
Decimal "100": True
Decimal "1E+2": False
date "2026-01-02": True
datetime "2026-01-02T00:00:00Z": True
datetime "2026-01-02T00:00:00": False
time "12:00:00": False
timedelta "PT2S": True
timedelta "PT1.5S": False
Access 1: True
Access 3: False
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
