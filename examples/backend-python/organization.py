"""An organization: what it owns, its credits, and its agent, which runs one task at a time."""

import hashlib
import math
import secrets
import threading
import time
from collections import deque
from datetime import datetime, timezone

RATE_LIMIT = (1200, 60)
"""Requests that a key may send, and in how many seconds (§8.1)."""


class Problem(Exception):
    """Ends a request with an error answer (§7)."""

    def __init__(self, status, error, message, headers=None):
        super().__init__(message)
        self.status, self.body, self.headers = status, {"error": error, "message": message}, headers or {}


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def new_id(prefix):
    return f"{prefix}_{secrets.token_hex(8)}"


def hash_of(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


class Key:
    """An API key. Of its secret it keeps a hash, so no later answer can disclose it (§5.5)."""

    def __init__(self, organization, name, secret):
        self.organization, self.hash, self.recent_requests = organization, hash_of(secret), deque()
        self.fields = {"id": new_id("key"), "name": name, "prefix": secret[:8], "last_used_at": None}

    def count_request(self):
        """Refuses a request beyond the rate limit of this key (§8.1)."""
        limit, window = self.organization.rate_limit
        moment = time.monotonic()
        while self.recent_requests and self.recent_requests[0] <= moment - window:
            self.recent_requests.popleft()
        if len(self.recent_requests) >= limit:
            wait = math.ceil(self.recent_requests[0] + window - moment)
            raise Problem(429, "rate_limited", f"Try again in {wait} s.", {"Retry-After": str(wait)})
        self.recent_requests.append(moment)
        self.fields["last_used_at"] = now()


class Organization:
    """Whoever uses an organization holds its `lock`."""

    def __init__(self, name, run_seconds):
        self.id, self.name, self.run_seconds = new_id("org"), name, run_seconds
        self.keys, self.tasks, self.documents, self.notifications, self.sites = {}, {}, {}, {}, {}
        self.credits = 100
        self.lock = threading.RLock()
        self.agent_freed = threading.Condition(self.lock)
        self.current_task, self.waiting_tasks, self.busy_until = None, deque(), 0
        # Only provider states change these.
        self.rate_limit = RATE_LIMIT
        self.next_run_fails = self.next_creative_fails = self.unavailable = False

    def create_key(self, name, secret=None):
        secret = secret or f"wak_{secrets.token_urlsafe(32)}"
        key = Key(self, name, secret)
        self.keys[key.fields["id"]] = key
        return key, secret

    def reserve_credit(self):
        """Takes a credit out of the balance before paid work begins; work that fails returns it (§3.2)."""
        if self.credits < 1:
            raise Problem(402, "no_credits", "No Work Credits are left. Buy more on the billing page.")
        self.credits -= 1

    def run(self, task):
        """Accepts a run: starts it, or queues it behind a busy agent (§3.3)."""
        if task["status"] in ("queued", "in_progress"):
            raise Problem(409, "invalid_request", "This task is running already.")
        self.reserve_credit()
        task["status"] = "queued"
        self.waiting_tasks.append(task)
        self._start_next_run()
        if task["status"] == "queued":
            raise Problem(409, "busy", "The agent is working on something else; this run starts right after.")

    def occupy_agent(self, seconds):
        """Gives the agent other work for a time; 0 ends that work."""
        self.busy_until = time.monotonic() + seconds
        self._call_later(seconds, self._start_next_run)

    def wait_until_idle(self, timeout):
        """Waits until nothing is running or queued; returns whether it came to that."""
        return self.agent_freed.wait_for(lambda: not self._occupied() and not self.waiting_tasks, timeout)

    def notify(self, text):
        item = {"id": new_id("ntf"), "text": text, "read": False, "created_at": now()}
        self.notifications[item["id"]] = item

    def _occupied(self):
        return self.current_task is not None or time.monotonic() < self.busy_until

    def _start_next_run(self):
        if self._occupied():
            return
        if not self.waiting_tasks:
            self.agent_freed.notify_all()
            return
        task = self.current_task = self.waiting_tasks.popleft()
        task["status"] = "in_progress"
        fails, self.next_run_fails = self.next_run_fails, False
        self._call_later(self.run_seconds, lambda: self._end_run(task, "failed" if fails else "completed"))

    def _end_run(self, task, outcome):
        task.update(status=outcome, finished_at=now())
        if outcome == "failed":
            self.credits += 1
        self.notify(f"A run has {outcome}.")
        self.current_task = None
        self._start_next_run()

    def _call_later(self, seconds, action):
        def call():
            with self.lock:
                action()

        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()
