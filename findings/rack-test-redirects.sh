#!/bin/sh
# Debian's ruby-rack-test 2.0.2-2, on Debian 12; so with 2.2.0.
# follow_redirect! sends a POST again after a 307 and keeps its form, as a client must. After a 308, which differs
# from it only in being permanent, it sends a GET without a body; and of a JSON body nothing is sent after a 307
# either, with the content type of a form.
set -eu
package=ruby-rack-test=2.0.2-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'rack/test'
include Rack::Test::Methods

def app
  lambda do |env|
    request = Rack::Request.new(env)
    status = request.path[/\d+/]
    return [status.to_i, { 'Location' => '/tasks' }, []] if status

    [200, {}, ["#{request.request_method} #{request.media_type.inspect} #{request.body.read.inspect}"]]
  end
end

json = '{"title":"one"}'
[307, 308].each do |status|
  post "/#{status}", { title: 'one' }
  puts "#{status}, form: #{follow_redirect!.body}"
  post "/#{status}", json, 'CONTENT_TYPE' => 'application/json'
  puts "#{status}, JSON: #{follow_redirect!.body}"
end
END
cat > expected <<'END'
307, form: POST "application/x-www-form-urlencoded" "title=one"
307, JSON: POST "application/x-www-form-urlencoded" ""
308, form: GET nil ""
308, JSON: GET nil ""
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
