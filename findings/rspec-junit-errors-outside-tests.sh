#!/bin/sh
# Debian's ruby-rspec-junit-formatter 0.4.1-2, on Debian 12.
# A file of specs that cannot be loaded ends the run with 1, and its JUnit report has no test and no error. An error
# in an `after(:context)` ends it with 1 too, and the report has one test that passed. Of several failed expectations
# in one test the report has the name of a class and nothing of what failed.
set -eu
package=ruby-rspec-junit-formatter=0.4.1-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > load_spec.rb <<'END'
require './missing'
RSpec.describe('tasks') { it('lists') {} }
END
cat > context_spec.rb <<'END'
RSpec.describe('tasks') do
  after(:context) { raise 'the service did not stop' }
  it('lists') {}
end
END
cat > several_spec.rb <<'END'
RSpec.describe('tasks') do
  it('lists', :aggregate_failures) do
    expect('one').to eq 'two'
    expect(1).to eq 2
  end
end
END
for name in load context several; do
  status=0
  rspec --format RspecJunitFormatter --out report.xml "${name}_spec.rb" > log 2>&1 || status=$?
  echo "$name: status $status, $(grep -o 'tests=.* errors="[0-9]*"' report.xml)"
done > seen
sed -n '/<failure/,/<\/failure>/p' report.xml | sed 's/<testcase.*<failure /<failure /' >> seen
cat > expected <<'END'
load: status 1, tests="0" skipped="0" failures="0" errors="0"
context: status 1, tests="1" skipped="0" failures="0" errors="0"
several: status 1, tests="1" skipped="0" failures="1" errors="0"
<failure message="RSpec::Expectations::MultipleExpectationsNotMetError" type="RSpec::Expectations::MultipleExpectationsNotMetError">
</failure></testcase>
END
diff expected seen && echo 'as found'
