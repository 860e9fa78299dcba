"""A client of the work-agent API. It waits as the service says, and never pays twice. Standard library only."""

import json
import time
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

TIMEOUT_S = 10
TRIES = 5
POLL_EVERY_S = 1
POLLS = 600
FEW_POLLS = 20


class Refused(Exception):
    """The service refuses, and waiting does not help. Branch on `code`."""

    def __init__(self, answer):
        super().__init__(f"{answer['error']}: {answer['message']}")
        self.code = answer["error"]


class NoAnswer(Exception):
    """No readable answer came, so the request may or may not have had an effect."""


class Client:
    def __init__(self, base_url, api_key, sleep=time.sleep):
        self.base_url, self.api_key, self.sleep = base_url, api_key, sleep
        self._known = None  # The tasks that it has seen; others may have the same text.

    def whoami(self):
        return self._repeat("GET", "whoami")

    def list_tasks(self):
        return self._repeat("GET", "tasks")["items"]

    def create_task(self, text):
        if self._known is None:
            self._known = {str(task["id"]) for task in self.list_tasks()}
        task = self._create(text)
        self._known.add(str(task["id"]))
        return task

    def _create(self, text):
        for attempt in range(1, TRIES + 1):
            try:
                return self._send("POST", "tasks", {"text": text})["task"]
            except NoAnswer:
                if attempt == TRIES:
                    raise
                self.sleep(2 ** (attempt - 1))
                for task in self.list_tasks():  # It may exist already: the list shows it.
                    if task["text"].strip() == text.strip() and str(task["id"]) not in self._known:
                        return task

    def get_task(self, task_id):
        return self._repeat("GET", f"tasks/{quote(str(task_id), safe='')}")

    def run_task(self, task):
        """Runs a task and waits until `finished`; the names of statuses belong to the service (§3.1)."""
        for _ in range(self._start(task)):
            answer = self.get_task(task["id"])
            if answer["finished"]:
                return answer["task"]
            self.sleep(POLL_EVERY_S)
        raise NoAnswer(f"task {task['id']} has not ended")

    def _start(self, task, again=False):
        """Starts a run, and returns how often to look for its end."""
        try:
            self._send("POST", f"tasks/{quote(str(task['id']), safe='')}/run")
        except Refused as refusal:
            # Perhaps because the request whose answer was lost was accepted.
            if refusal.code == "invalid_request" and again:
                return FEW_POLLS
            if refusal.code != "busy":  # A busy agent has accepted the run and starts it itself (§3.3).
                raise
        except NoAnswer:
            now = self.get_task(task["id"])  # It may be paid for already: the task shows it.
            if not now["finished"] and now["task"]["status"] == task["status"]:
                return self._start(task, again=True)
        return POLLS

    def _repeat(self, method, path, body=None):
        """Sends what is safe to send twice; a lost answer is asked for again."""
        for attempt in range(1, TRIES + 1):
            try:
                return self._send(method, path, body)
            except NoAnswer:
                if attempt == TRIES:
                    raise
                self.sleep(2 ** (attempt - 1))

    def _send(self, method, path, body=None):
        """Sends a request, and again after a 429 or 503 (§7.2, §7.3)."""
        for attempt in range(1, TRIES + 1):
            status, headers, answer = self._exchange(method, path, body)
            if status < 300:
                return answer
            wait = wait_after(answer.get("error"), headers, attempt)
            if wait is None or attempt == TRIES:
                raise Refused(answer)
            self.sleep(wait)

    def _exchange(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.api_key}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = Request(f"{self.base_url}/api/cli/{path}", data, headers, method=method)
        try:
            try:
                answer = urlopen(request, timeout=TIMEOUT_S)
            except HTTPError as error:
                answer = error
            with answer:
                return answer.status, answer.headers, json.loads(answer.read())
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer("no readable answer") from error


def wait_after(code, headers, attempt):
    """Seconds to wait before the next try; None: do not try again."""
    if code == "unavailable":
        return 2 ** (attempt - 1)
    if code != "rate_limited":
        return None
    value = headers.get("Retry-After", "1")
    if value.isdigit():
        return int(value)
    now = parsedate_to_datetime(headers["Date"]).timestamp() if "Date" in headers else time.time()
    return max(0, parsedate_to_datetime(value).timestamp() - now)
