#!/bin/sh
# Debian's python3-iso8601 1.0.2-1 and python3-aniso8601 9.0.1-2, with python3-isodate 0.6.1-1, on Debian 12.
# By ISO 8601 the last part of a time may have a fraction: 10:30.5 is half a minute past 10:30. iso8601 raises no error
# and reads 10:00:30.5, half an hour earlier. 24:00 is the end of the day; aniso8601 accepts it and reads the start of
# the same day, so that an interval up to 24:00 ends before it begins.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  python3-iso8601=1.0.2-1 \
  python3-aniso8601=9.0.1-2 \
  python3-isodate=0.6.1-1 \
  python3-six=1.16.0-4 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
import aniso8601
import isodate
import iso8601

readers = {
    "iso8601": iso8601.parse_date,
    "aniso8601": aniso8601.parse_datetime,
    "isodate": isodate.parse_datetime,
}
for text in ("2026-12-01T10:30:30Z", "2026-12-01T10:30.5Z", "2026-12-01T24:00:00Z"):
    for name, read in readers.items():
        try:
            seen = read(text).isoformat()
        except ValueError as error:
            seen = f"{type(error).__name__}"
        print(f"{text}, {name}: {seen}")
start, end = aniso8601.parse_interval("2026-12-01T10:00:00Z/2026-12-01T24:00:00Z")
print(f"aniso8601, from 10:00 to 24:00: {end - start}")
END
cat > expected <<'END'
2026-12-01T10:30:30Z, iso8601: 2026-12-01T10:30:30+00:00
2026-12-01T10:30:30Z, aniso8601: 2026-12-01T10:30:30+00:00
2026-12-01T10:30:30Z, isodate: 2026-12-01T10:30:30+00:00
2026-12-01T10:30.5Z, iso8601: 2026-12-01T10:00:30.500000+00:00
2026-12-01T10:30.5Z, aniso8601: 2026-12-01T10:30:30+00:00
2026-12-01T10:30.5Z, isodate: 2026-12-01T10:30:30+00:00
2026-12-01T24:00:00Z, iso8601: ParseError
2026-12-01T24:00:00Z, aniso8601: 2026-12-01T00:00:00+00:00
2026-12-01T24:00:00Z, isodate: ValueError
aniso8601, from 10:00 to 24:00: -1 day, 14:00:00
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
