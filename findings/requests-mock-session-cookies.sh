#!/bin/sh
# Debian's python3-requests-mock 1.9.3-2 with python3-requests 2.28.1+dfsg-1, on Debian 12; python3-responses 0.18.0-1.
# A Session of requests keeps the cookies of its answers. A mocked Set-Cookie is in the cookies of the answer, but not
# in those of the session: a client that logs in and goes on sends its next request without the cookie, and a test of
# what it sends accuses it. With responses it is there.
set -eu
for package in python3-requests-mock=1.9.3-2 python3-responses=0.18.0-1 python3-requests=2.28.1+dfsg-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
import requests
import requests_mock
import responses

login, tasks = "http://mocked.test/login", "http://mocked.test/tasks"
set_cookie = {"Set-Cookie": "session=1; Path=/"}


def show(name):
    with requests.Session() as session:
        answer = session.post(login)
        sent = session.get(tasks).request.headers.get("Cookie")
    print(f"{name}: answer {answer.cookies.get_dict()}, session {session.cookies.get_dict()}, next request {sent}")


with responses.RequestsMock() as mock:
    mock.add(responses.POST, login, headers=set_cookie)
    mock.add(responses.GET, tasks)
    show("responses")
with requests_mock.Mocker() as mock:
    mock.post(login, headers=set_cookie)
    mock.get(tasks)
    show("requests-mock")
END
cat > expected <<'END'
responses: answer {'session': '1'}, session {'session': '1'}, next request session=1
requests-mock: answer {'session': '1'}, session {}, next request None
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
