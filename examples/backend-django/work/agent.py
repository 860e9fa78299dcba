"""Credits, the agent of each organization, which runs one task at a time, and provider states."""

import os
import time

from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from .bugs import has
from .models import Notification, Organization, Run, Task

RUN_SECONDS = float(os.environ.get("WORK_RUN_SECONDS", "0.3"))
ACTIVE = "waiting", "in_progress"


class Problem(Exception):
    """Ends a request with an error answer (§7)."""

    def __init__(self, status, error, message, **headers):
        self.status, self.body, self.headers = status, {"error": error, "message": message}, headers


def change(org_id, **fields):
    return Organization.objects.filter(pk=org_id).update(**fields)


def reserve(org):
    """Takes a credit before paid work begins (§3.2): one statement, so that none is spent twice."""
    is_seen = org.credits >= 1
    if has("balance-saved") and is_seen:
        org.credits -= 1
        return org.save(update_fields=["credits"])
    rows = Organization.objects.filter(pk=org.pk, credits__gte=1)
    if has("balance-checked-first") and is_seen:
        rows = Organization.objects.filter(pk=org.pk)
    if not rows.update(credits=F("credits") - 1):
        raise Problem(402, "no_credits", "No Work Credits are left. Go to the billing page.")


def request_run(org, task):
    """Accepts a run: starts it, or lets it wait behind a busy agent (§3.3)."""
    if task.status in ACTIVE:
        raise Problem(409, "invalid_request", "This task is running already.")
    balance = Organization.objects.get(pk=org.pk).credits
    reserve(org)
    if has("queue-of-one"):
        Run.objects.filter(org=org, status="waiting").update(status="dropped")
    run = Run.objects.create(org=org, task=task, balance=balance)
    Task.objects.filter(pk=task.pk).update(status="waiting", finished_at=None)
    start_next(org.pk)
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(had_to_wait=run.status == "waiting")
    return run


def is_occupied(org):
    return time.time() < org.busy_until or Run.objects.filter(org=org, status="in_progress").exists()


def start_next(org_id):
    org = Organization.objects.get(pk=org_id)
    run = Run.objects.filter(org=org, status="waiting").order_by("pk").first()
    if run is None or is_occupied(org):
        return
    ends_at = time.time() + RUN_SECONDS
    Run.objects.filter(pk=run.pk).update(status="in_progress", fails=org.next_run_fails, ends_at=ends_at)
    Task.objects.filter(pk=run.task_id).update(status="in_progress")
    change(org_id, next_run_fails=False)


def end(run):
    outcome = "failed" if run.fails else "completed"
    Run.objects.filter(pk=run.pk).update(status=outcome)
    Task.objects.filter(pk=run.task_id).update(status=outcome, finished_at=now())
    Notification.objects.create(org_id=run.org_id, text=f"A run has {outcome}.")
    is_third = has("refund-third-lost") and Run.objects.filter(status="failed").count() % 3 == 0
    if run.had_to_wait and not run.fails and has("waiting-charged-twice"):
        change(run.org_id, credits=F("credits") - 1)
    if not run.fails or is_third or (run.had_to_wait and has("refund-of-waiting-lost")):
        return
    change(run.org_id, credits=run.balance if has("refund-restores-balance") else F("credits") + 1)


def settle():
    """Ends runs that are due, and starts those that wait. The worker calls it all the time."""
    for run in list(Run.objects.filter(status="in_progress", ends_at__lte=time.time())):
        with transaction.atomic():
            end(run)
            start_next(run.org_id)
    for org_id in set(Run.objects.filter(status="waiting").values_list("org_id", flat=True)):
        with transaction.atomic():
            start_next(org_id)


def change_state(body):
    """Does what a request to the states URL asks for. Not for production."""
    state, params, action = (body.get(name) for name in ("state", "params", "action"))
    changes = {
        "credits": lambda: change(org_id, credits=params["credits"]) if is_setup else None,
        "agent_busy": lambda: change(org_id, busy_until=is_setup and time.time() + params["duration_ms"] / 1000),
        "agent_idle": lambda: until_idle(org_id),
        "rate_limit": lambda: change(
            org_id,
            rate_limit=params["limit"] if is_setup else 6000,
            rate_window=params["window_s"] if is_setup else 60,
        ),
        "unread_notification": lambda: is_setup and Notification.objects.create(org_id=org_id, text="Welcome!"),
    }
    for name in ("next_run_fails", "next_creative_fails", "unavailable"):
        changes[name] = lambda: change(org_id, **{state: is_setup})
    if state not in changes:
        raise Problem(404, "not_found", "This state is not offered.")
    try:
        org_id, is_setup = params["org_id"], {"setup": True, "teardown": False}[action]
        if not Organization.objects.filter(pk=org_id).exists() or any(params[name] < 0 for name in params if name != "org_id"):
            raise ValueError
        changes[state]()
    except (KeyError, TypeError, ValueError):
        raise Problem(400, "invalid_request", "The action or a parameter is invalid.") from None
    return {"ok": True}


def until_idle(org_id):
    active = Run.objects.filter(org=org_id, status__in=ACTIVE)
    while active.exists() or is_occupied(Organization.objects.get(pk=org_id)):
        time.sleep(0.01)
