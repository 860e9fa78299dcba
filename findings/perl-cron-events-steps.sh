#!/bin/sh
# Debian's libschedule-cron-events-perl 1.96-2, libset-crontab-perl 1.03-1.1, on Debian 12.
# It takes a line of a crontab and says when the job runs. By crontab(5) the steps of `*/10` are those of the whole
# range, as of 1-31/10, and Set::Crontab reads them so. Schedule::Cron::Events counts the days and months from 0: the
# 10th, 20th and 30th, not the 1st, 11th, 21st and 31st; March and June, not January and April.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  libschedule-cron-events-perl=1.96-2 \
  libset-crontab-perl=1.03-1.1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.pl <<'END'
use strict;
use warnings;
use Schedule::Cron::Events;
use Set::Crontab;

print 'Set::Crontab, days */10: ', join(' ', Set::Crontab->new('*/10', [1 .. 31])->list), "\n";
print 'Set::Crontab, months */3: ', join(' ', Set::Crontab->new('*/3', [1 .. 12])->list), "\n";
for my $text ('0 0 1-31/10 * *', '0 0 */10 * *', '0 0 1 1-12/3 *', '0 0 1 */3 *') {
    my $events = Schedule::Cron::Events->new("$text /bin/true", Date => [0, 0, 12, 31, 11, 125]);
    my @days = map { my @date = $events->nextEvent; sprintf '%02d-%02d', $date[4] + 1, $date[3] } 1 .. 4;
    print "$text: @days\n";
}
END
cat > expected <<'END'
Set::Crontab, days */10: 1 11 21 31
Set::Crontab, months */3: 1 4 7 10
0 0 1-31/10 * *: 01-01 01-11 01-21 01-31
0 0 */10 * *: 01-10 01-20 01-30 02-10
0 0 1 1-12/3 *: 01-01 04-01 07-01 10-01
0 0 1 */3 *: 03-01 06-01 09-01 12-01
END
TZ=UTC PERL5LIB=usr/share/perl5 /usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
