#!/bin/sh
# Debian's php-json-schema 5.2.12-2, on Debian 12.
# It refuses a date-time with nine digits of a second, as services in Go and Java write them and RFC 3339 allows. The
# 30th of February it accepts as a date-time, though not as a date.
set -eu
package=php-json-schema=5.2.12-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.php <<'END'
<?php
require '/usr/share/php/JsonSchema/autoload.php';

$values = [
    ['date-time', '2026-01-01T12:30:00.123456Z'],
    ['date-time', '2026-01-01T12:30:00.123456789Z'],
    ['date-time', '2026-02-30T12:30:00Z'],
    ['date', '2026-02-30'],
];
foreach ($values as [$format, $value]) {
    $validator = new JsonSchema\Validator();
    $validator->validate($value, (object) ['type' => 'string', 'format' => $format]);
    echo "$format $value: ", $validator->isValid() ? 'accepted' : 'refused', "\n";
}
END
cat > expected <<'END'
date-time 2026-01-01T12:30:00.123456Z: accepted
date-time 2026-01-01T12:30:00.123456789Z: refused
date-time 2026-02-30T12:30:00Z: accepted
date 2026-02-30: refused
END
php find.php > seen
diff expected seen && echo 'as found'
