#!/bin/sh
# Debian's python3-junitparser 2.8.0-1, on Debian 12.
# The output of a test has colours as soon as its runner writes them: an escape sign, which XML 1.0 cannot have.
# junitparser writes it into the report as it is, raises no error, and cannot read its own report again; neither can
# anything else.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root python3-junitparser=2.8.0-1 python3-future=0.18.2-6 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.py <<'END'
from xml.etree.ElementTree import ParseError

from junitparser import Failure, JUnitXml, TestCase, TestSuite


def report(output, message):
    case = TestCase("pays")
    case.system_out = output
    case.result = [Failure(message)]
    suite = TestSuite("suite")
    suite.add_testcase(case)
    xml = JUnitXml()
    xml.add_testsuite(suite)
    return xml.tostring()


for output, message in (("red", "no"), ("<&>", "no"), ("\x1b[31mred\x1b[0m", "no"), ("red", "\x1b[1mno\x1b[0m")):
    text = report(output, message)
    try:
        seen = f"read again, {JUnitXml.fromstring(text).tests} test"
    except ParseError as error:
        seen = f"ParseError {str(error).split(':')[0]}"
    print(f"output {output!r}, failure {message!r}: {seen}")
END
cat > expected <<'END'
output 'red', failure 'no': read again, 1 test
output '<&>', failure 'no': read again, 1 test
output '\x1b[31mred\x1b[0m', failure 'no': ParseError not well-formed (invalid token)
output 'red', failure '\x1b[1mno\x1b[0m': ParseError not well-formed (invalid token)
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
