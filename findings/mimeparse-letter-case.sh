#!/bin/sh
# Debian's python3-mimeparse 1.6.0-3, on Debian 12.
# By RFC 9110 media types are the same in any letter case, and a range in an Accept header may have a parameter in
# quotes. best_match() finds nothing where the client writes `Application/JSON`, and raises an error at a comma in
# quotes. A range with a parameter that a type lacks fits it: where it comes first, its quality is that of the type.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-mimeparse=1.6.0-3 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
from mimeparse import best_match, quality

for supported, header in (
    (["application/json"], "application/json"),
    (["application/json"], "Application/JSON"),
    (["application/json"], 'application/json, text/csv; header="a"'),
    (["application/json"], 'application/json, text/csv; header="a,b"'),
):
    try:
        seen = repr(best_match(supported, header))
    except ValueError as error:
        seen = f"{type(error).__name__}: {error}"
    print(f"{supported} for {header}: {seen}")
for header in ("text/html, text/html;level=1;q=0.1", "text/html;level=1;q=0.1, text/html", "text/html;level=1"):
    print(f"quality of text/html for {header}: {quality('text/html', header)}")
END
cat > expected <<'END'
['application/json'] for application/json: 'application/json'
['application/json'] for Application/JSON: ''
['application/json'] for application/json, text/csv; header="a": 'application/json'
['application/json'] for application/json, text/csv; header="a,b": MimeTypeParseException: Can't parse type "b""
quality of text/html for text/html, text/html;level=1;q=0.1: 1.0
quality of text/html for text/html;level=1;q=0.1, text/html: 0.1
quality of text/html for text/html;level=1: 1.0
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
