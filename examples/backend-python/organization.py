"""An organization: what it owns, its credits, and its agent, which runs one task at a time."""

import hashlib
import math
import secrets
import threading
import time
from collections import defaultdict, deque
from datetime import datetime, timezone

RATE_LIMIT = 1200, 60  # Requests that a key may send, and in how many seconds (§8.1).


class Problem(Exception):
    """Ends a request with an error answer (§7)."""

    def __init__(self, status, error, message, **headers):
        super().__init__(message)
        self.status, self.body = status, {"error": error, "message": message}
        self.headers = {name.replace("_", "-"): str(value) for name, value in headers.items()}


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def hash_of(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


class Organization:
    """Whoever uses an organization holds its `lock`."""

    def __init__(self, name, run_seconds):
        self.id, self.name, self.run_seconds = f"org_{secrets.token_hex(8)}", name, run_seconds
        # Items by id, oldest first.
        self.keys, self.tasks, self.documents, self.notifications, self.sites = {}, {}, {}, {}, {}
        # By the hash of the secret, which is not kept, so no later answer discloses it (§5.5).
        self.key_ids = {}
        self.credits, self.rate_limit, self.recent_requests = 100, RATE_LIMIT, defaultdict(deque)
        self.lock = threading.RLock()
        self.agent_freed = threading.Condition(self.lock)
        self.current_task, self.waiting_tasks, self.busy_until = None, deque(), 0
        # Only provider states set these.
        self.next_run_fails = self.next_creative_fails = self.unavailable = False
        self.answer_lost = None

    def add(self, table, **fields):
        item = {"id": f"{table[:-1]}_{secrets.token_hex(8)}", **fields}
        getattr(self, table)[item["id"]] = item
        return item

    def items(self, table):
        return list(getattr(self, table).values())[::-1]

    def add_key(self, name, secret):
        key = self.add("keys", name=name, prefix=secret[:8], last_used_at=None)
        self.key_ids[hash_of(secret)] = key["id"]
        return key

    def find_key(self, secret):
        return self.keys.get(self.key_ids.get(hash_of(secret)))

    def count_request(self, key):
        """Refuses a request beyond the rate limit of a key (§8.1)."""
        (limit, window), moment = self.rate_limit, time.monotonic()
        recent = self.recent_requests[key["id"]]
        while recent and recent[0] <= moment - window:
            recent.popleft()
        if len(recent) >= limit:
            wait = math.ceil(recent[0] + window - moment)
            raise Problem(429, "rate_limited", f"Try again in {wait} s.", Retry_After=wait)
        recent.append(moment)
        key["last_used_at"] = now()

    def reserve_credit(self):
        """Takes a credit before paid work begins; work that fails returns it (§3.2)."""
        if self.credits < 1:
            raise Problem(402, "no_credits", "No Work Credits are left. Go to the billing page.")
        self.credits -= 1

    def run(self, task):
        """Accepts a run: starts it, or queues it behind a busy agent (§3.3)."""
        if task["status"] in ("queued", "in_progress"):
            raise Problem(409, "invalid_request", "This task is running already.")
        self.reserve_credit()
        task["status"] = "queued"
        self.waiting_tasks.append(task)
        self.start_next_run()
        if task["status"] == "queued":
            raise Problem(409, "busy", "The agent is working; this run starts right after.")

    def start_next_run(self):
        if self.is_occupied():
            return
        if not self.waiting_tasks:
            self.agent_freed.notify_all()
            return
        self.current_task = self.waiting_tasks.popleft()
        self.current_task["status"] = "in_progress"
        self.call_later(self.run_seconds, self.end_run, self.next_run_fails)
        self.next_run_fails = False

    def end_run(self, fails):
        outcome = "failed" if fails else "completed"
        self.current_task.update(status=outcome, finished_at=now())
        self.current_task = None
        self.credits += 1 if fails else 0
        self.notify(f"A run has {outcome}.")
        self.start_next_run()

    def notify(self, text):
        self.add("notifications", text=text, read=False, created_at=now())

    def is_occupied(self):
        return self.current_task is not None or time.monotonic() < self.busy_until

    def occupy_agent(self, seconds):
        """Gives the agent other work for a time; 0 ends that work."""
        self.busy_until = time.monotonic() + seconds
        self.call_later(seconds, self.start_next_run)

    def call_later(self, seconds, action, *args):
        def call():
            with self.lock:
                action(*args)

        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()
