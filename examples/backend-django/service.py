"""Serves the API with Django and SQLite, and starts the worker that runs tasks: python3 service.py"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import django
from django.conf import settings


def configure(folder):
    """The settings of the server and of the worker, which share a database."""
    is_patient = os.environ["WORK_BUG"] != "locked-at-times"
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/work.db"}
    database["OPTIONS"] = {"timeout": 30 if is_patient else 0}
    names = {"INSTALLED_APPS": ["work"], "ROOT_URLCONF": "work.api", "LOGGING_CONFIG": None}
    settings.configure(DATABASES={"default": database}, ALLOWED_HOSTS=["*"], USE_TZ=True, **names)
    settings.DEFAULT_AUTO_FIELD, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = "django.db.models.BigAutoField", 1 << 20
    django.setup()
    from django.db.backends.sqlite3.base import DatabaseWrapper

    if is_patient:  # A transaction that reads before it writes would fail beside another one.
        DatabaseWrapper._start_transaction_under_autocommit = lambda self: self.cursor().execute("BEGIN IMMEDIATE")


def work(server):
    """The worker: a process of its own, which ends with the server."""
    from django.db.utils import OperationalError
    from work.agent import settle

    while os.getppid() == server:
        try:
            settle()
        except OperationalError:
            pass  # The database is locked; it tries again.
        time.sleep(0.01)


def create_tables():
    from django.apps import apps
    from django.db import connection
    from work.api import add_key
    from work.models import Organization

    connection.cursor().execute("PRAGMA journal_mode = WAL")
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)
    for name in ("acme", "globex"):
        add_key(Organization.objects.create(name=name), "demo", f"wak_{name}_for_local_use")


def serve(port):
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    WSGIRequestHandler.log_message = lambda *args: None
    ThreadedWSGIServer.daemon_threads, ThreadedWSGIServer.request_queue_size = True, 128
    with ThreadedWSGIServer(("127.0.0.1", port), WSGIRequestHandler) as server:
        server.set_app(get_wsgi_application())
        url = f"http://127.0.0.1:{server.server_port}"
        facts = {"event": "listening", "url": url, "states_url": f"{url}/states"}
        for prefix, name in (("", "acme"), ("other_", "globex")):
            facts[f"{prefix}api_key"] = f"wak_{name}_for_local_use"
            facts[f"{prefix}session_cookie"] = f"session=was_{name}_for_local_use"
        print(json.dumps(facts), flush=True)
        server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=4700, help="0: any free port")
    parser.add_argument("--run-ms", type=int, default=300, help="how long a run lasts")
    parser.add_argument("--bug", default="", help="one of work/bugs.py")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.environ |= {"WORK_BUG": args.bug, "WORK_RUN_SECONDS": str(args.run_ms / 1000)}
    if args.worker:
        configure(args.worker)
        return work(os.getppid())
    with tempfile.TemporaryDirectory() as folder:
        configure(folder)
        create_tables()
        command = [sys.executable, *sys.argv, "--worker", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL):
            serve(args.port)


if __name__ == "__main__":
    main()
