#!/bin/sh
# Debian's python3-json-pointer 2.3-2, on Debian 12.
# By RFC 6901 a pointer goes on in an object or a list alone, and an index has no leading zero. jsonpointer goes on into
# a text, and gives one letter of it: a test that reads `/tags/0` passes a service that sends the tags as one text. An
# index of `01` is the element 1.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-json-pointer=2.3-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
from jsonpointer import JsonPointerException, resolve_pointer

document = {"tags": ["red", "blue"], "title": "red", "count": 12}
for pointer in ("/tags/1", "/tags/01", "/tags/1e0", "/title/0", "/title/9"):
    try:
        seen = repr(resolve_pointer(document, pointer))
    except JsonPointerException as error:
        seen = f"JsonPointerException: {error}"
    print(f"{pointer}: {seen}")
END
cat > expected <<'END'
/tags/1: 'blue'
/tags/01: 'blue'
/tags/1e0: JsonPointerException: '1e0' is not a valid sequence index
/title/0: 'r'
/title/9: JsonPointerException: index '9' is out of bounds
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
