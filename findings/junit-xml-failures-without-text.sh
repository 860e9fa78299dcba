#!/bin/sh
# Debian's python3-junit.xml 1.9-4, on Debian 12.
# The text of a failed test is often empty: `str()` of a bare assert is. A test with such a failure, error or skip has
# none of them in the report and is counted as one that passed; a space as the text makes a failure of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-junit.xml=1.9-4 python3-six=1.16.0-4 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
import re

from junit_xml import TestCase, TestSuite, to_xml_report_string


def failed(text):
    case = TestCase("pays")
    case.add_failure_info(text)
    return case


try:
    assert 1 + 1 == 3
except AssertionError as error:
    bare = str(error)
for what, text in (("a text", "1 + 1 is 2"), ("that of a bare assert", bare), ("a space", " ")):
    case = failed(text)
    report = to_xml_report_string([TestSuite("suite", [case])], prettyprint=False)
    counted = re.search(r'failures="\d+"', report).group()
    element = re.search("<testcase.*(?=</testsuite>)", report).group()
    print(f"{what}: {counted}, {element}")
END
cat > expected <<'END'
a text: failures="1", <testcase name="pays"><failure type="failure" message="1 + 1 is 2" /></testcase>
that of a bare assert: failures="0", <testcase name="pays" />
a space: failures="1", <testcase name="pays"><failure type="failure" message=" " /></testcase>
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 -W ignore find.py > seen
diff expected seen && echo 'as found'
