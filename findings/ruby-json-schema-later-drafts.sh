#!/bin/sh
# Debian's ruby-json-schema 2.8.1-4, on Debian 12.
# JSON::Validator.validate() says false for each document, also the right ones, if the schema names a draft after 04.
# validate!() and fully_validate() say instead that they do not know the draft.
set -eu
package=ruby-json-schema=2.8.1-4
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'set'
require 'json-schema'

%w[draft-04 draft-06 draft-07].each do |draft|
  schema = { '$schema' => "http://json-schema.org/#{draft}/schema#", 'type' => 'integer' }
  why = begin
    JSON::Validator.fully_validate(schema, 1).inspect
  rescue JSON::Schema::SchemaError => e
    e.message
  end
  puts "#{draft}: validate #{JSON::Validator.validate(schema, 1)}, fully_validate #{why}"
end
END
cat > expected <<'END'
draft-04: validate true, fully_validate []
draft-06: validate false, fully_validate Schema not found: http://json-schema.org/draft-06/schema#
draft-07: validate false, fully_validate Schema not found: http://json-schema.org/draft-07/schema#
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
