#!/bin/sh
# Debian's python3-crontab 2.7.1-1, on Debian 12.
# Its page says that `frequency()` is how often a job runs in a year. Cron runs a job that has a day of the month and a
# day of the week on the days that fit either; it is counted, and compared, as one for days that fit both. Each Friday
# and each 13th is three times in 2026. A command with a quoted ` # ` ends there, and the rest is its comment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  python3-crontab=2.7.1-1 \
  python3-dateutil=2.8.2-2 \
  python3-six=1.16.0-4 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
from datetime import date, timedelta

from crontab import CronSlices, CronTab

days = [date(2026, 1, 1) + timedelta(day) for day in range(365)]
for text, runs in (
    ("0 0 * * 5", [day for day in days if day.isoweekday() == 5]),
    ("0 0 13 * *", [day for day in days if day.day == 13]),
    ("0 0 13 * 5", [day for day in days if day.day == 13 or day.isoweekday() == 5]),
    ("0 0 1-31 * 5", days),
):
    print(f"{text}: frequency {CronSlices(text).frequency(year=2026)}, runs {len(runs)}")
for line in ("0 0 * * * post --title red", '0 0 * * * post --title "red # 1"'):
    (job,) = CronTab(tab=line + "\n")
    print(f"{line}: command {job.command!r}, comment {job.comment!r}")
END
cat > expected <<'END'
0 0 * * 5: frequency 52, runs 52
0 0 13 * *: frequency 12, runs 12
0 0 13 * 5: frequency 3, runs 61
0 0 1-31 * 5: frequency 52, runs 365
0 0 * * * post --title red: command 'post --title red', comment ''
0 0 * * * post --title "red # 1": command 'post --title "red', comment '1"'
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
