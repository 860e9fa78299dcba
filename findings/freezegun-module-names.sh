#!/bin/sh
# freezegun 1.5.5.
# Modules of its ignore list see the real time; the list has `queue`, `gi`, `threading` and `selenium`, and a name
# that merely begins like one of them is taken for it. In one's own queue_poller.py and gifts.py, time.time() is the
# real time while datetime.datetime.now() is the frozen one: there a deadline is always over, or never.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet freezegun==1.5.5

cat > tasks.py <<'END'
import datetime
import time


def show():
    frozen = [time.gmtime(time.time()).tm_year == 2001, datetime.datetime.now().year == 2001]
    print(f"{__name__}: time {frozen[0]}, datetime {frozen[1]}")
END
cp tasks.py queue_poller.py
cp tasks.py gifts.py
cat > find.py <<'END'
import gifts
import queue_poller
import tasks
from freezegun import freeze_time

with freeze_time("2001-06-15"):
    for module in (tasks, queue_poller, gifts):
        module.show()
END
cat > expected <<'END'
tasks: time True, datetime True
queue_poller: time False, datetime True
gifts: time False, datetime True
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
