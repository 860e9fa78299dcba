"""The tables. Each has ids of its own, counted from 1."""

from django.db.models import CASCADE, BooleanField, DateTimeField, FloatField, ForeignKey, IntegerField, Model, TextField


class Organization(Model):
    name = TextField(unique=True)
    credits, rate_limit = IntegerField(default=100), IntegerField(default=6000)
    rate_window, busy_until = FloatField(default=60), FloatField(default=0)
    unavailable, next_run_fails, next_creative_fails = (BooleanField(default=False) for _ in range(3))


def table(model, shown, /, **fields):
    """A table whose rows belong to an organization, and the fields that answers show."""
    meta = {"__module__": __name__, "shown": shown.split()}
    always = {"org": ForeignKey(Organization, CASCADE), "created_at": DateTimeField(auto_now_add=True)}
    return type(model, (Model,), meta | always | fields)


def text():
    return TextField(null=True)


# The secret of a key is not kept (§5.5).
switch = BooleanField
Key = table("Key", "id name prefix created_at last_used_at", name=text(), prefix=text(), hash=text(), last_used_at=DateTimeField(null=True))
shown = "id text description status created_at finished_at"
Task = table("Task", shown, text=text(), description=text(), status=TextField(default="pending"), finished_at=DateTimeField(null=True))
shown = "id title kind content_md summary folder_id created_at"
names = shown.split()[1:-1]
Document = table("Document", shown, **{name: text() for name in names})
Notification = table("Notification", "id text read created_at", text=text(), read=switch(default=False))
Site = table("Site", "id business_name version published", business_name=text(), version=1, published=False)
flags = {"had_to_wait": switch(default=False), "fails": switch(default=False)}
progress = {"status": TextField(default="waiting"), "balance": IntegerField(), "ends_at": FloatField(null=True)}
Run = table("Run", "id", task=ForeignKey(Task, CASCADE), **flags, **progress)
