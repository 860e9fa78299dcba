#!/bin/sh
# Debian's python3-rapidjson 1.4-2+b4, with RapidJSON 1.1.0, on Debian 12.
# The Validator drops a pattern whose expression RapidJSON cannot read, without an error, and accepts every text: so
# with \d, \w, \s, \/, (?:…) and (?=…), that JSON Schema recommends or allows. [0-9] works, and `^$` takes any text too.
# An exclusiveMinimum that is a number, as since draft 6, is dropped likewise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-rapidjson=1.4-2+b4 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
import rapidjson


def accepted(schema, value):
    try:
        rapidjson.Validator(rapidjson.dumps(schema))(rapidjson.dumps(value))
        return "accepted"
    except rapidjson.ValidationError:
        return "refused"


for pattern, value in (
    (r"^[0-9]{4}$", "red"),
    (r"^(red|blue)$", "green"),
    (r"^\d{4}$", "red"),
    (r"^\w+$", "!"),
    (r"^\S+$", "two words"),
    (r"^\/tasks$", "red"),
    (r"^(?:red|blue)$", "green"),
    (r"^(?=r)[a-z]+$", "green"),
    (r"^$", "green"),
):
    print(f"{pattern} for {value}: {accepted({'type': 'string', 'pattern': pattern}, value)}")
for schema in {"minimum": 5, "exclusiveMinimum": True}, {"exclusiveMinimum": 5}:
    print(f"{schema} for 5 and 4: {accepted(schema, 5)}, {accepted(schema, 4)}")
END
cat > expected <<'END'
^[0-9]{4}$ for red: refused
^(red|blue)$ for green: refused
^\d{4}$ for red: accepted
^\w+$ for !: accepted
^\S+$ for two words: accepted
^\/tasks$ for red: accepted
^(?:red|blue)$ for green: accepted
^(?=r)[a-z]+$ for green: accepted
^$ for green: accepted
{'minimum': 5, 'exclusiveMinimum': True} for 5 and 4: refused, refused
{'exclusiveMinimum': 5} for 5 and 4: accepted, accepted
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
