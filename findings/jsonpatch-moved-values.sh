#!/bin/sh
# jsonpatch 1.33.
# make_patch() makes a `move` of a value that is removed in one place and added in another, and forgets that removals
# before it shift what it moves: the patch from one document to another gives a third one, here with the wrong task in
# the archive, and no error. The order of its operations hangs on the hashes of the names, so that the same patch is
# right in one run and wrong in the next. Without a value that moves the patch is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet jsonpatch==1.33

cat > find.py <<'END'
import jsonpatch

before = {"archive": {}, "tasks": ["write", "test"]}
for after in ({"archive": {}, "tasks": []}, {"archive": {"first": "write"}, "tasks": []}):
    patch = jsonpatch.make_patch(before, after)
    print(f"wanted {after}: {patch.apply(before)}")
END
cat > expected <<'END'
wanted {'archive': {'first': 'write'}, 'tasks': []}: {'archive': {'first': 'test'}, 'tasks': []}
wanted {'archive': {'first': 'write'}, 'tasks': []}: {'archive': {'first': 'write'}, 'tasks': []}
wanted {'archive': {}, 'tasks': []}: {'archive': {}, 'tasks': []}
END
for seed in 0 1 2 3 4 5 6 7; do
  PYTHONHASHSEED=$seed env/bin/python find.py
done > runs
LC_ALL=C sort -u runs > seen
diff expected seen && echo 'as found'
