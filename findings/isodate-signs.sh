#!/bin/sh
# Debian's python3-isodate 0.6.1-1, on Debian 12.
# A duration of a month less a day, which adds up right, is written as minus a month and minus a day. By ISO 8601 the
# sign of an offset may be a real minus sign (U+2212), as well as a hyphen: isodate drops such an offset, so that a time
# with a zone is one without.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-isodate=0.6.1-1 python3-six=1.16.0-4 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
from datetime import date

from isodate import Duration, duration_isoformat, parse_datetime, parse_duration

start = date(2026, 3, 10)
for duration in (Duration(months=1, days=1), Duration(months=-1, days=-1), Duration(months=1, days=-1)):
    text = duration_isoformat(duration)
    print(f"{start} + {duration!r} = {start + duration}")
    print(f"  written {text}, read again {start} + {text} = {start + parse_duration(text)}")
for sign in ("-", "\N{MINUS SIGN}", "+"):
    text = f"2026-12-01T10:00:00{sign}05:00"
    print(f"{ascii(text)}: {parse_datetime(text).isoformat()}")
END
cat > expected <<'END'
2026-03-10 + isodate.duration.Duration(1, 0, 0, years=0, months=1) = 2026-04-11
  written P1M1D, read again 2026-03-10 + P1M1D = 2026-04-11
2026-03-10 + isodate.duration.Duration(-1, 0, 0, years=0, months=-1) = 2026-02-09
  written -P1M1D, read again 2026-03-10 + -P1M1D = 2026-02-09
2026-03-10 + isodate.duration.Duration(-1, 0, 0, years=0, months=1) = 2026-04-09
  written -P1M1D, read again 2026-03-10 + -P1M1D = 2026-02-09
'2026-12-01T10:00:00-05:00': 2026-12-01T10:00:00-05:00
'2026-12-01T10:00:00\u221205:00': 2026-12-01T10:00:00
'2026-12-01T10:00:00+05:00': 2026-12-01T10:00:00+05:00
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
