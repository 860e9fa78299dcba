#!/bin/sh
# Debian's ruby-iso8601 0.13.0-1, on Debian 12.
# ISO8601::DateTime keeps the fraction of a second for `to_datetime`, and `to_s` rounds it to a tenth: .25 is written as
# .3, and .96 of the last second of a minute as 60.0, which it cannot read itself. TimeInterval#intersection() of two
# intervals that overlap raises a NoMethodError.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root ruby-iso8601=0.13.0-1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.rb <<'END'
require 'iso8601'

%w[10:00:00.5 10:00:00.25 10:00:00.123 10:00:59.96].each do |time|
  text = "2026-12-01T#{time}Z"
  read = ISO8601::DateTime.new(text)
  again = begin
    (ISO8601::DateTime.new(read.to_s).to_datetime - read.to_datetime).to_f * 86_400
  rescue ISO8601::Errors::StandardError, ArgumentError => error
    error.class
  end
  again = "off by #{again.round(3)} s" if again.is_a?(Float)
  puts "#{text}: second #{read.second}, to_s #{read}, read again #{again}"
end
first = ISO8601::TimeInterval.parse('2026-12-01T00:00:00Z/2026-12-03T00:00:00Z')
second = ISO8601::TimeInterval.parse('2026-12-02T00:00:00Z/2026-12-04T00:00:00Z')
puts "intersect? #{first.intersect?(second)}"
begin
  puts first.intersection(second)
rescue NoMethodError => error
  puts "intersection raises #{error.class}"
end
END
cat > expected <<'END'
2026-12-01T10:00:00.5Z: second 0.5, to_s 2026-12-01T10:00:00.5+00:00, read again off by 0.0 s
2026-12-01T10:00:00.25Z: second 0.3, to_s 2026-12-01T10:00:00.3+00:00, read again off by 0.05 s
2026-12-01T10:00:00.123Z: second 0.1, to_s 2026-12-01T10:00:00.1+00:00, read again off by -0.023 s
2026-12-01T10:00:59.96Z: second 60.0, to_s 2026-12-01T10:00:60+00:00, read again ISO8601::Errors::RangeError
intersect? true
intersection raises NoMethodError
END
/usr/bin/ruby -I usr/lib/ruby/vendor_ruby find.rb > seen
diff expected seen && echo 'as found'
