#!/bin/sh
# jsonpatch 1.33.
# apply() leaves the document as it was and gives a new one, but puts the values of the patch themselves into it: what
# a later operation adds to them, or the caller to the document, is in the patch. A patch that is applied to two
# documents gives the second one the changes twice, and then both share one list.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet jsonpatch==1.33

cat > find.py <<'END'
import jsonpatch

patch = jsonpatch.JsonPatch([
    {"op": "add", "path": "/tags", "value": []},
    {"op": "add", "path": "/tags/-", "value": "new"},
])
first = patch.apply({"title": "one"})
print("first", first)
second = patch.apply({"title": "two"})
print("second", second)
second["tags"].append("mine")
print("first", first)
END
cat > expected <<'END'
first {'title': 'one', 'tags': ['new']}
second {'title': 'two', 'tags': ['new', 'new']}
first {'title': 'one', 'tags': ['new', 'new', 'mine']}
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
