"""The routes of the API (§4): each takes a Request and the ids in its path, and returns the answer."""

import json
import re
from dataclasses import dataclass

from organization import Organization, Problem, new_id, now


@dataclass
class Request:
    """A request with a valid credential."""

    organization: Organization
    query: dict
    raw_body: bytes

    def text(self, name, required=False):
        """A text in the body; None where an optional one is missing."""
        value = parse_object(self.raw_body).get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or (required and not value):
            raise Problem(400, "invalid_request", f"{name} must be a text.")
        return value


def parse_object(raw_body):
    try:
        body = json.loads(raw_body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Problem(400, "invalid_request", "The body must be a JSON object.")
    return body


def find(items, item_id):
    """What belongs to another organization is as missing as what does not exist (§7)."""
    if item_id not in items:
        raise Problem(404, "not_found", "Your organization has nothing with this id.")
    return items[item_id]


def add(items, item):
    items[item["id"]] = item
    return item


def newest_first(items):
    return list(reversed(items.values()))


def whoami(request):
    org = request.organization
    return {"org": {"id": org.id, "name": org.name}, "plan": "standard", "credits": org.credits}


def create_key(request):
    key, secret = request.organization.create_key(request.text("name", required=True))
    return {"key": key.fields, "secret": secret}


def list_keys(request):
    return {"keys": [key.fields for key in newest_first(request.organization.keys)]}


def delete_key(request, key_id):
    find(request.organization.keys, key_id)
    del request.organization.keys[key_id]
    return {"ok": True}


def list_tasks(request):
    return {"items": newest_first(request.organization.tasks), "credits": request.organization.credits}


def create_task(request):
    task = {"id": new_id("task"), "text": request.text("text", required=True), "description": None}
    task |= {"status": "pending", "created_at": now(), "finished_at": None}
    return {"task": add(request.organization.tasks, task), "credits": request.organization.credits}


def get_task(request, task_id):
    task = find(request.organization.tasks, task_id)
    return {"task": task, "finished": task["status"] in ("completed", "failed")}


def run_task(request, task_id):
    task = find(request.organization.tasks, task_id)
    request.organization.run(task)
    return {"taskId": task_id, "status": task["status"], "finished": False}


def list_documents(request):
    items = newest_first(request.organization.documents)
    if request.query.get("all") != "1":
        items = [item for item in items if item["folder_id"] == request.query.get("folder_id")]
    return {"items": items}


def create_document(request):
    item = {"id": new_id("doc"), "title": request.text("title", required=True), "created_at": now()}
    item |= {name: request.text(name) for name in ("kind", "content_md", "summary", "folder_id")}
    return {"item": add(request.organization.documents, item)}


def get_document(request, document_id):
    return {"item": find(request.organization.documents, document_id)}


def list_notifications(request):
    items = newest_first(request.organization.notifications)
    return {"items": items, "unread": sum(not item["read"] for item in items)}


def read_notification(request, notification_id):
    find(request.organization.notifications, notification_id)["read"] = True
    return {"ok": True}


def list_leads(request):
    lead = {"id": "lead_1", "name": "Ada Example", "email": "ada@example.com", "phone": None}
    return {"connected": True, "prospects": [lead | {"createdTime": now(), "campaign": "Spring"}]}


def generate_creative(request):
    request.text("prompt", required=True)
    org = request.organization
    org.reserve_credit()
    if org.next_creative_fails:
        org.next_creative_fails = False
        org.credits += 1
        raise Problem(503, "unavailable", "The generation failed; your credit was returned.")
    artifact_id = new_id("art")
    return {"url": f"/creatives/{artifact_id}.svg", "artifactId": artifact_id}


def list_landing_pages(request):
    return {"items": newest_first(request.organization.sites)}


def create_landing_page(request):
    site = {"id": new_id("site"), "business_name": request.text("business_name")}
    return add(request.organization.sites, site | {"version": 1, "published": False})


def constant(answer):
    return lambda request: answer


def get_billing(request):
    return {"plan": "standard", "credits": request.organization.credits, "tiers": [], "packs": []}


ROUTES = [
    (method, re.compile("/api/cli/" + path.replace(":id", "([^/]+)")), credential, handler)
    for method, path, credential, handler in [
        ("GET", "whoami", "key", whoami),
        ("POST", "keys", "session", create_key),
        ("GET", "keys", "session", list_keys),
        ("DELETE", "keys/:id", "session", delete_key),
        ("GET", "tasks", "key", list_tasks),
        ("POST", "tasks", "key", create_task),
        ("GET", "tasks/:id", "key", get_task),
        ("POST", "tasks/:id/run", "key", run_task),
        ("GET", "documents", "key", list_documents),
        ("POST", "documents", "key", create_document),
        ("GET", "documents/:id", "key", get_document),
        ("GET", "notifications", "key", list_notifications),
        ("POST", "notifications/:id/read", "key", read_notification),
        ("GET", "leads", "key", list_leads),
        ("POST", "creative/generate", "key", generate_creative),
        ("GET", "landing-pages", "key", list_landing_pages),
        ("POST", "landing-pages", "key", create_landing_page),
        ("GET", "meta/campaigns", "key", constant({"connected": True, "campaigns": []})),
        ("GET", "meta/insights", "key", constant({"impressions": 0, "clicks": 0})),
        ("GET", "wallet", "key", constant({"balance": 0, "funding": None, "autoRecharge": False})),
        ("GET", "billing", "key", get_billing),
    ]
]
