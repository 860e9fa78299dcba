#!/bin/sh
# responses 0.26.3 and respx 0.23.1, with requests 2.34.2 and httpx 0.28.1.
# responses' urlencoded_params_matcher compares fields without the empty ones, and of a name that comes twice only the
# last value: the mock of a form answers forms that it does not describe, and one that describes an empty field is
# never found. The matcher of the query of the same package, and respx, compare all of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet responses==0.26.3 requests==2.34.2 respx==0.23.1 httpx==0.28.1

cat > find.py <<'END'
import httpx
import requests
import responses
import respx
from responses.matchers import query_param_matcher, urlencoded_params_matcher

url = "http://mocked.test/"


def answered(matcher, **sent):
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        mock.post(url, match=[matcher])
        try:
            return requests.post(url, **sent).ok
        except requests.ConnectionError:
            return False


def answered_by_respx(described, sent):
    with respx.mock(assert_all_called=False) as mock:
        mock.post(url, data=described).respond(200)
        mock.post(url).respond(404)
        return httpx.post(url, data=sent).is_success


for described, sent in (
    ({"title": "a"}, {"title": "a", "note": "b"}),
    ({"title": "a"}, {"title": "a", "note": ""}),
    ({"title": "a", "note": ""}, {"title": "a", "note": ""}),
    ({"tag": "blue"}, {"tag": ["red", "blue"]}),
):
    form = answered(urlencoded_params_matcher(described), data=sent)
    query = answered(query_param_matcher(described), params=sent)
    print(f"{described} for {sent}: form {form}, query {query}, respx {answered_by_respx(described, sent)}")
END
cat > expected <<'END'
{'title': 'a'} for {'title': 'a', 'note': 'b'}: form False, query False, respx False
{'title': 'a'} for {'title': 'a', 'note': ''}: form True, query False, respx False
{'title': 'a', 'note': ''} for {'title': 'a', 'note': ''}: form False, query True, respx True
{'tag': 'blue'} for {'tag': ['red', 'blue']}: form True, query False, respx False
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
