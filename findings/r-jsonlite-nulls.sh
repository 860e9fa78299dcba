#!/bin/sh
# Debian's r-cran-jsonlite 1.8.4+dfsg-1, on Debian 12.
# A document that was read and is written again, with auto_unbox as for a service, is another one: a null among numbers
# is the text "NA", the null of a member is {}, a null in a list of objects takes its member with it, and the numbers and
# flags of a mixed list are texts. A null among texts stays.
set -eu
package=r-cran-jsonlite=1.8.4+dfsg-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.R <<'END'
library(jsonlite)
for (text in c('[1,2]', '[1,null]', '["a",null]', '{"due":null}', '[1,"a",true]', '[{"a":null},{"a":1}]')) {
  cat(text, ': ', toJSON(fromJSON(text), auto_unbox = TRUE), '\n', sep = '')
}
END
cat > expected <<'END'
[1,2]: [1,2]
[1,null]: [1,"NA"]
["a",null]: ["a",null]
{"due":null}: {"due":{}}
[1,"a",true]: ["1","a","TRUE"]
[{"a":null},{"a":1}]: [{},{"a":1}]
END
Rscript find.R > seen
diff expected seen && echo 'as found'
