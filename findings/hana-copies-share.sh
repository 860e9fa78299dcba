#!/bin/sh
# Debian's ruby-hana 1.3.6-2, on Debian 12.
# By RFC 6902 a `copy` is a copy. In Hana both places then hold one object: what the patch changes in the copy
# changes where it was copied from too, and the other way round. A `replace` of a member that is not there adds it,
# where the RFC has the patch fail; a `remove` of it does fail.
set -eu
package=ruby-hana=1.3.6-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'hana'
require 'json'

[
  [{ op: 'copy', from: '/task', path: '/draft' }],
  [{ op: 'copy', from: '/task', path: '/draft' }, { op: 'replace', path: '/draft/title', value: 'two' }],
  [{ op: 'copy', from: '/task', path: '/draft' }, { op: 'add', path: '/task/done', value: true }],
  [{ op: 'replace', path: '/title', value: 'two' }],
  [{ op: 'remove', path: '/title' }]
].each do |patch|
  operations = JSON.parse(JSON.generate(patch))
  result = begin
    JSON.generate(Hana::Patch.new(operations).apply({ 'task' => { 'title' => 'one' } }))
  rescue Hana::Patch::Exception
    'fails'
  end
  puts "#{operations.map { |operation| "#{operation['op']} #{operation['path']}" }.join(', ')}: #{result}"
end
END
cat > expected <<'END'
copy /draft: {"task":{"title":"one"},"draft":{"title":"one"}}
copy /draft, replace /draft/title: {"task":{"title":"two"},"draft":{"title":"two"}}
copy /draft, add /task/done: {"task":{"title":"one","done":true},"draft":{"title":"one","done":true}}
replace /title: {"task":{"title":"one"},"title":"two"}
remove /title: fails
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
