#!/bin/sh
# responses 0.26.3 and respx 0.23.1, with requests 2.34.2 and httpx 0.28.1.
# responses' json_params_matcher compares as Python does, where True is 1 and False is 0: a mock of `{"done": true}`
# answers a client that sends `{"done": 1}`, and the service will refuse it. respx tells them apart.
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
from responses.matchers import json_params_matcher

url = "http://mocked.test/"


def answered(described, sent):
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        mock.post(url, match=[json_params_matcher(described)])
        try:
            return requests.post(url, json=sent).ok
        except requests.ConnectionError:
            return False


def answered_by_respx(described, sent):
    with respx.mock(assert_all_called=False) as mock:
        mock.post(url, json=described).respond(200)
        mock.post(url).respond(404)
        return httpx.post(url, json=sent).is_success


for sent in ({"done": True}, {"done": "true"}, {"done": 1}):
    print(f"{sent}: responses {answered({'done': True}, sent)}, respx {answered_by_respx({'done': True}, sent)}")
END
cat > expected <<'END'
{'done': True}: responses True, respx True
{'done': 'true'}: responses False, respx False
{'done': 1}: responses True, respx False
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
