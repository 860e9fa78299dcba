#!/bin/sh
# uritemplate 4.2.0; uri-template 1.3.0.
# In the query of a template a number 0 and a False expand to nothing after the `=`, while 1, 0 in the path and 0 in a
# list are written: a client asks for `?offset=` where it means the first page. uri-template writes 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet uritemplate==4.2.0 uri-template==1.3.0

cat > find.py <<'END'
import uri_template
import uritemplate

for template, value in (
    ("/tasks{?offset}", 1),
    ("/tasks{?offset}", 0),
    ("/tasks{?offset}", 0.0),
    ("/tasks?limit=5{&offset}", 0),
    ("/tasks{?offset}", [0]),
    ("/tasks/{offset}", 0),
):
    print(value, uri_template.expand(template, offset=value), uritemplate.expand(template, offset=value))
END
cat > expected <<'END'
1 /tasks?offset=1 /tasks?offset=1
0 /tasks?offset=0 /tasks?offset=
0.0 /tasks?offset=0.0 /tasks?offset=
0 /tasks?limit=5&offset=0 /tasks?limit=5&offset=
[0] /tasks?offset=0 /tasks?offset=0
0 /tasks/0 /tasks/0
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
