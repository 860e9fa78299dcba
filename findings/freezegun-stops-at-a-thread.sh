#!/bin/sh
# Debian's python3-freezegun 1.2.1+actually1.2.1-1, on Debian 12.
# The frozen clock is looked at through the stack: a function that a thread starts itself sees the real time, and the
# same function sees the frozen time when it stands six calls deeper in that thread. A worker that reads the clock at
# its top runs in another year than the helpers that it calls.
set -eu
package=python3-freezegun=1.2.1+actually1.2.1-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
import threading
import time

from freezegun import freeze_time


def year(depth):
    return year(depth - 1) if depth else time.gmtime().tm_year


def show(name, depth):
    print(f"{name}, {depth} calls deep: frozen {year(depth) == 2001}")


with freeze_time("2001-06-15"):
    for depth in (0, 6):
        show("main", depth)
        thread = threading.Thread(target=show, args=("thread", depth))
        thread.start()
        thread.join()
END
cat > expected <<'END'
main, 0 calls deep: frozen True
thread, 0 calls deep: frozen False
main, 6 calls deep: frozen True
thread, 6 calls deep: frozen True
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
