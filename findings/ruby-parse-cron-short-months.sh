#!/bin/sh
# Debian's ruby-parse-cron 0.1.4-1.1, on Debian 12.
# A job for the 31st runs in the months that have one. `next` of CronParser goes on to the first of the next month
# instead, and so does `last`: February the 29th is the first of February in other years.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root ruby-parse-cron=0.1.4-1.1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.rb <<'END'
require 'parse-cron'

from = Time.utc(2026, 12, 1, 12)
['0 0 28 * *', '0 0 30 * *', '0 0 31 * *', '0 0 29 2 *'].each do |text|
  cron = CronParser.new(text)
  runs = [from]
  5.times { runs << cron.next(runs.last) }
  day = ->(time) { time.strftime('%Y-%m-%d') }
  puts "#{text}: next #{runs.drop(1).map(&day).join(' ')}, last #{day.(cron.last(from))}"
end
END
cat > expected <<'END'
0 0 28 * *: next 2026-12-28 2027-01-28 2027-02-28 2027-03-28 2027-04-28, last 2026-11-28
0 0 30 * *: next 2026-12-30 2027-01-30 2027-02-01 2027-03-30 2027-04-30, last 2026-11-30
0 0 31 * *: next 2026-12-31 2027-01-31 2027-02-01 2027-03-31 2027-04-01, last 2026-11-01
0 0 29 2 *: next 2028-02-29 2029-02-01 2030-02-01 2031-02-01 2032-02-29, last 2025-02-01
END
TZ=UTC /usr/bin/ruby -I usr/lib/ruby/vendor_ruby find.rb > seen
diff expected seen && echo 'as found'
