"""The routes of the API (§4), in its first variant; keys, sessions and limits."""

import hashlib
import json
import math
import re
import secrets
import threading
import time
import traceback
from collections import defaultdict, deque

from django.db import transaction
from django.db.models import F
from django.http import HttpResponse, JsonResponse
from django.urls import re_path
from django.utils.timezone import now

from .agent import Problem, change, change_state, request_run, reserve
from .bugs import has
from .models import Document, Key, Notification, Organization, Site, Task

CREATIVE = '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="32" cy="32" r="32"/></svg>'
LEAD = {"id": "lead_1", "name": "Ada Example", "email": "ada@example.com", "phone": None}
LEAD |= {"createdTime": "2026-01-31T12:00:00Z", "campaign": "Spring"}
unread, recent_requests, lock = {}, defaultdict(deque), threading.Lock()


def body_of(request):
    if has("forms-read") and request.content_type.startswith(("application/x-www", "multipart/")):
        return request.POST.dict()
    try:
        text = request.body.decode()
        end = json.JSONDecoder().raw_decode(text)[1] if has("trailing-ignored") else None
        body = json.loads(text[:end])
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Problem(400, "invalid_request", "The body must be a JSON object.")
    return {name.lower(): value for name, value in body.items()} if has("names-in-any-case") else body


def text_in(body, name, required=True):
    """A text in a body; None where an optional one is missing."""
    value = body.get(name)
    if value in (None, "") and not required:
        return None
    if not isinstance(value, str) or not value or re.search("[\0\ud800-\udfff]", value):
        raise Problem(400, "invalid_request", f"{name} must be a text.")
    return " ".join(value.split()) if has("spaces-collapsed") else value


def own(request, model, item_id):
    """What belongs to another organization is as missing as what does not exist (§7)."""
    is_id = re.fullmatch(r"\d+" if has("id-overflows") else r"\d{1,15}", item_id, re.A)
    items = model.objects.filter(pk=int(item_id) if is_id else 0)
    is_open = has("task-by-id-only") and model is Task or has("mark-by-id-only") and model is Notification
    item = (items if is_open else items.filter(org=request.org)).first()
    if item is None:
        raise Problem(404, "not_found", "Your organization has nothing with this id.")
    return item


def view(item):
    return {name: getattr(item, name) for name in item.shown}


def all_of(request, model, **conditions):
    items = [view(item) for item in model.objects.filter(org=request.org, **conditions).order_by("-pk")]
    return None if has("list-null") and not items else items


def create(request, model, name, **how):
    return model.objects.create(org=request.org, **{name: text_in(body_of(request), name, **how)})


def credits_of(request):
    return Organization.objects.get(pk=request.org.pk).credits


def whoami(request):
    org = {"id": request.org.pk, "name": request.org.name}
    return {"org": org, "plan": "standard", "credits": credits_of(request)}


def add_key(org, name, secret):
    return Key.objects.create(org=org, name=name, prefix=secret[:8], hash=hash_of(secret))


def new_key(request, name, secret):
    return {"key": view(add_key(request.org, name, secret)), "secret": secret}


def hash_of(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


def shown(task):
    return {"task": view(task), "finished": task.status in ("completed", "failed")}


def run_task(request, item_id):
    run = request_run(request.org, own(request, Task, item_id))
    if run.status == "waiting":
        return JsonResponse({"error": "busy", "message": "This run starts right after another."}, status=409)
    return {"taskId": run.task_id, "status": "in_progress", "finished": False}


def list_documents(request):
    folder, name = request.GET.get("folder_id"), "folder_id"
    if request.GET.get("all") == "1":
        return {"items": all_of(request, Document)}
    if has("folder-startswith") and folder is not None:
        name = "folder_id__startswith"
    return {"items": all_of(request, Document, **{name: folder})}


def create_document(request):
    body = body_of(request)
    fields = {name: text_in(body, name, False) for name in ("kind", "content_md", "summary", "folder_id")}
    title = text_in(body, "title")[: 255 if has("title-cut") else None]
    return {"item": view(Document.objects.create(org=request.org, title=title, **fields))}


def list_notifications(request):
    items = all_of(request, Notification)
    count = sum(not item["read"] for item in items or [])
    return {"items": items, "unread": unread.setdefault(request.org.pk, count) if has("unread-cached") else count}


def read_notification(request, item_id):
    one = own(request, Notification, item_id)
    which = {"org": request.org, "pk__lte": one.pk} if has("read-up-to") else {"pk": one.pk}
    Notification.objects.filter(**which).update(read=True)
    unread.clear()
    return {"ok": True}


def generate_creative(request):
    text_in(body_of(request), "prompt")
    reserve(request.org)
    if request.org.next_creative_fails:
        change(request.org.pk, next_creative_fails=False, credits=F("credits") + 1)
        return JsonResponse({"error": "unavailable", "message": "It failed; the credit was returned."}, status=503)
    artifact = secrets.token_hex(8)
    return {"url": f"/creatives/{artifact}.svg", "artifactId": artifact}


ROUTES = {
    "GET whoami": whoami,
    "POST keys": lambda request: new_key(request, text_in(body_of(request), "name"), f"wak_{secrets.token_urlsafe(32)}"),
    "GET keys": lambda request: {"keys": all_of(request, Key)},
    "DELETE keys/:id": lambda request, item_id: {"ok": bool(own(request, Key, item_id).delete())},
    "GET tasks": lambda request: {"items": all_of(request, Task), "credits": credits_of(request)},
    "POST tasks": lambda request: {"task": view(create(request, Task, "text")), "credits": credits_of(request)},
    "GET tasks/:id": lambda request, item_id: shown(own(request, Task, item_id)),
    "POST tasks/:id/run": run_task,
    "GET documents": list_documents,
    "POST documents": create_document,
    "GET documents/:id": lambda request, item_id: {"item": view(own(request, Document, item_id))},
    "GET notifications": list_notifications,
    "POST notifications/:id/read": read_notification,
    "GET leads": lambda request: {"connected": True, "prospects": [LEAD]},
    "POST creative/generate": generate_creative,
    "GET landing-pages": lambda request: {"items": all_of(request, Site)},
    "POST landing-pages": lambda request: view(create(request, Site, "business_name", required=False)),
    "GET meta/campaigns": lambda request: {"connected": True, "campaigns": []},
    "GET meta/insights": lambda request: {"impressions": 0, "clicks": 0},
    "GET wallet": lambda request: {"balance": 0, "funding": None, "autoRecharge": False},
    "GET billing": lambda request: whoami(request) | {"tiers": [], "packs": []},
}


def identify(request, is_session):
    """The organization of a key or of a browser that is logged in (§5), and no more requests than its limit (§8.1)."""
    if is_session:
        name = re.fullmatch(r"was_(\w+)_for_local_use", request.COOKIES.get("session", ""))
        request.org = Organization.objects.filter(name=name and name[1]).first()
    else:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        key = Key.objects.select_related("org").filter(hash=hash_of(secret)).first()
        request.org = key.org if key and scheme.lower() == "bearer" else None
    if request.org is None:
        raise Problem(401, "unauthorized", "Log in, or send a valid API key.")
    if not is_session:
        Key.objects.filter(pk=key.pk).update(last_used_at=now())
        count(key.pk, request.org)


def count(key_id, org):
    recent, moment = recent_requests[key_id], time.monotonic()
    with lock:
        while recent and recent[0] <= moment - org.rate_window:
            recent.popleft()
        if len(recent) >= org.rate_limit:
            wait = math.ceil((recent or [moment])[0] + org.rate_window - moment)
            raise Problem(429, "rate_limited", f"Try again in {wait} s.", **{"Retry-After": str(wait)})
        recent.append(moment)
    if org.unavailable:
        raise Problem(503, "unavailable", "The service is down for a moment.")


def answer(request, path):
    for route, handler in ROUTES.items():
        if match := re.fullmatch(route.replace(":id", "([^/]+)"), f"{request.method} {path}"):
            break
    else:
        raise Problem(404, "not_found", "There is no such route.")
    if has("accept-first") and "xml" in request.headers.get("Accept", ""):
        raise Problem(406, "not_acceptable", "The answer is JSON.")
    identify(request, path.startswith("keys"))
    if request.method == "GET" or has("balance-saved") or has("balance-checked-first"):
        return handler(request, *match.groups())
    _ = request.body  # All of it, before the transaction keeps others from writing.
    with transaction.atomic():
        return handler(request, *match.groups())


def api(request, path=None):
    try:
        if path is None:
            for memory in (unread, recent_requests):
                memory.clear()
        result = change_state(body_of(request)) if path is None else answer(request, path)
    except Problem as problem:
        return JsonResponse(problem.body, status=problem.status, headers=problem.headers)
    except Exception:
        traceback.print_exc()
        return JsonResponse({"error": "internal_error", "message": "Something went wrong."}, status=500)
    return result if isinstance(result, HttpResponse) else JsonResponse(result)


urlpatterns = [
    re_path("^states$", api),
    re_path(r"^creatives/", lambda request: HttpResponse(CREATIVE, content_type="image/svg+xml")),
    re_path(r"^api/cli/(?P<path>.*)$", api),
]
