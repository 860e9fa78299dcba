"""The routes of the API (§4): each is a method of a request, and takes the id in the path."""

import json
import secrets

from organization import Problem, now

LEAD = {"id": "lead_1", "name": "Ada Example", "email": "ada@example.com", "phone": None}
LEAD |= {"createdTime": "2026-01-31T12:00:00Z", "campaign": "Spring"}
PLAN = "standard"


def find(table, item_id):
    """What belongs to another organization is as missing as what does not exist (§7)."""
    if item_id not in table:
        raise Problem(404, "not_found", "Your organization has nothing with this id.")
    return table[item_id]


class Request:
    def __init__(self, query, raw_body):
        self.query, self.raw_body, self.org = query, raw_body, None

    def body(self):
        try:
            body = json.loads(self.raw_body)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Problem(400, "invalid_request", "The body must be a JSON object.")
        return body

    def text(self, name, required=True):
        """A text in the body; None where an optional one is missing."""
        value = self.body().get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or (required and not value):
            raise Problem(400, "invalid_request", f"{name} must be a text.")
        return value

    def whoami(self):
        org = {"id": self.org.id, "name": self.org.name}
        return {"org": org, "plan": PLAN, "credits": self.org.credits}

    def create_key(self):
        secret = f"wak_{secrets.token_urlsafe(32)}"
        return {"key": self.org.add_key(self.text("name"), secret), "secret": secret}

    def delete_key(self, key_id):
        find(self.org.keys, key_id)
        del self.org.keys[key_id]
        return {"ok": True}

    def create_task(self):
        fields = {"text": self.text("text"), "description": None, "status": "pending"}
        task = self.org.add("tasks", **fields, created_at=now(), finished_at=None)
        return {"task": task, "credits": self.org.credits}

    def get_task(self, task_id):
        task = find(self.org.tasks, task_id)
        return {"task": task, "finished": task["status"] in ("completed", "failed")}

    def run_task(self, task_id):
        self.org.run(find(self.org.tasks, task_id))
        return {"taskId": task_id, "status": "in_progress", "finished": False}

    def list_documents(self):
        items, folder = self.org.items("documents"), self.query.get("folder_id")
        if self.query.get("all") != "1":
            items = [item for item in items if item["folder_id"] == folder]
        return {"items": items}

    def create_document(self):
        names = "kind", "content_md", "summary", "folder_id"
        fields = {name: self.text(name, required=False) for name in names}
        fields |= {"title": self.text("title"), "created_at": now()}
        return {"item": self.org.add("documents", **fields)}

    def list_notifications(self):
        items = self.org.items("notifications")
        return {"items": items, "unread": sum(not item["read"] for item in items)}

    def read_notification(self, notification_id):
        find(self.org.notifications, notification_id)["read"] = True
        return {"ok": True}

    def generate_creative(self):
        self.text("prompt")
        self.org.reserve_credit()
        if self.org.next_creative_fails:
            self.org.next_creative_fails = False
            self.org.credits += 1
            raise Problem(503, "unavailable", "The generation failed; your credit was returned.")
        artifact = secrets.token_hex(8)
        return {"url": f"/creatives/{artifact}.svg", "artifactId": artifact}

    def create_site(self):
        name = self.text("business_name", required=False)
        return self.org.add("sites", business_name=name, version=1, published=False)


ROUTES = {
    "GET whoami": Request.whoami,
    "POST keys": Request.create_key,
    "GET keys": lambda self: {"keys": self.org.items("keys")},
    "DELETE keys/:id": Request.delete_key,
    "GET tasks": lambda self: {"items": self.org.items("tasks"), "credits": self.org.credits},
    "POST tasks": Request.create_task,
    "GET tasks/:id": Request.get_task,
    "POST tasks/:id/run": Request.run_task,
    "GET documents": Request.list_documents,
    "POST documents": Request.create_document,
    "GET documents/:id": lambda self, document_id: {"item": find(self.org.documents, document_id)},
    "GET notifications": Request.list_notifications,
    "POST notifications/:id/read": Request.read_notification,
    "GET leads": lambda self: {"connected": True, "prospects": [LEAD]},
    "POST creative/generate": Request.generate_creative,
    "GET landing-pages": lambda self: {"items": self.org.items("sites")},
    "POST landing-pages": Request.create_site,
    "GET meta/campaigns": lambda self: {"connected": True, "campaigns": []},
    "GET meta/insights": lambda self: {"impressions": 0, "clicks": 0},
    "GET wallet": lambda self: {"balance": 0, "funding": None, "autoRecharge": False},
    "GET billing": lambda self: self.whoami() | {"tiers": [], "packs": []},
}
