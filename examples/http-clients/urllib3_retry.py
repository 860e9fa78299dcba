"""The work by urllib3 with a Retry as most scripts write it. It repeats a GET, and no POST."""

import os
import sys
import time
from urllib.parse import quote

import urllib3

FIXED = sys.argv[1:] == ["fixed"]
LIMITS = [429, 502, 503, 504]
BASE = os.environ["WORK_AGENT_BASE_URL"] + "/api/cli/"
HEADERS = {"Authorization": "Bearer " + os.environ["WORK_AGENT_API_KEY"]}
READS = urllib3.Retry(total=5, backoff_factor=1, status_forcelist=LIMITS)
# Nobody knows whether a POST without an answer took effect: read=False repeats none.
WRITES = urllib3.Retry(
    total=5, read=False, backoff_factor=1, status_forcelist=[429, 503], allowed_methods=["POST"]
)

http = urllib3.PoolManager(timeout=10 if FIXED else None)


class Refusal(Exception):
    """The service answered with an error."""


def send(method, path, body=None):
    retries = WRITES if FIXED and method == "POST" else READS
    answer = http.request(method, BASE + path, json=body, headers=HEADERS, retries=retries)
    fields = answer.json()
    # A busy agent has accepted the run (§3.3).
    if answer.status >= 300 and fields["error"] != "busy":
        raise Refusal(f"{fields['error']}: {fields['message']}")
    return fields


def start(path, before):
    try:
        send("POST", path + "/run")
    except urllib3.exceptions.HTTPError:
        if not FIXED:
            raise
        look = send("GET", path)
        if not look["finished"] and look["task"]["status"] == before:
            start(path, before)


def work():
    task = send("POST", "tasks", {"text": "Say hello"})["task"]
    path = "tasks/" + quote(str(task["id"]), safe="")
    start(path, task["status"])
    for _ in range(120):
        look = send("GET", path)
        if look["finished"]:
            return look["task"]["status"]
        time.sleep(1)
    raise TimeoutError("the run takes too long")


try:
    print(work())
except (Refusal, TimeoutError, urllib3.exceptions.HTTPError) as error:
    sys.exit(str(error))
