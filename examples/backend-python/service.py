"""A service with the work-agent API, two organizations and the standard library only."""

import argparse
import json
import re
import traceback
from http import HTTPStatus
from socket import SHUT_RDWR
from socketserver import ThreadingMixIn
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from organization import Organization, Problem
from routes import ROUTES, Request
from states import change_state

CREATIVE = '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="32" cy="32" r="32"/></svg>'
MAX_BODY = 1 << 20


class Service:
    """A WSGI application."""

    def __init__(self, run_seconds):
        self.organizations = [Organization(name, run_seconds) for name in ("acme", "globex")]
        for org in self.organizations:
            org.add_key("demo", f"wak_{org.name}_for_local_use")

    def __call__(self, environ, start_response):
        status, headers, media_type = 200, {}, "application/json"
        try:
            if environ["PATH_INFO"].startswith("/creatives/"):
                text, media_type = CREATIVE, "image/svg+xml"
            else:
                text = self.answer(environ)
        except Problem as problem:
            status, headers, text = problem.status, problem.headers, json.dumps(problem.body)
        except Exception:
            traceback.print_exc()
            status, text = 500, '{"error": "internal_error", "message": "Something went wrong."}'
        body = text.encode()
        headers = {"Content-Type": media_type, "Content-Length": str(len(body)), **headers}
        start_response(f"{status} {HTTPStatus(status).phrase}", list(headers.items()))
        return [body]

    def answer(self, environ):
        """The answer as JSON; a Problem is raised for every other."""
        length = environ["CONTENT_LENGTH"] or "0"
        if not length.isdecimal() or int(length) > MAX_BODY:
            raise Problem(400, "invalid_request", "Send a Content-Length of at most 1 MiB.")
        raw_body = environ["wsgi.input"].read(int(length))
        request = Request(dict(parse_qsl(environ["QUERY_STRING"])), raw_body)
        call = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        if call == "POST /states":
            return json.dumps(change_state(self.organizations, request.body()))
        for route, handler in ROUTES.items():
            pattern = route.replace(" ", " /api/cli/").replace(":id", "([^/]+)")
            if match := re.fullmatch(pattern, call):
                break
        else:
            raise Problem(404, "not_found", "There is no such route.")
        find = self.find_session if " keys" in route else self.find_key
        org, key = find(environ)
        request.org = org
        with org.lock:  # Held until the answer is written out, so that it shows one moment.
            if key:
                org.count_request(key)
                if org.unavailable:
                    raise Problem(503, "unavailable", "The service is down for a moment.")
            try:
                return json.dumps(handler(request, *match.groups()))
            finally:
                if org.answer_lost == handler.__name__:
                    org.answer_lost = None
                    environ["connection"].shutdown(SHUT_RDWR)

    def find_key(self, environ):
        """The key in `Authorization: Bearer <key>`, and its organization (§5.1)."""
        scheme, _, secret = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        for org in self.organizations:
            if scheme.lower() == "bearer" and (key := org.find_key(secret)):
                return org, key
        raise Problem(401, "unauthorized", "Log in with the client, or send a valid API key.")

    def find_session(self, environ):
        """The organization of a browser that is logged in, by the cookie `session` (§5.4)."""
        cookies = dict(re.findall("([^=; ]+)=([^;]*)", environ.get("HTTP_COOKIE", "")))
        for org in self.organizations:
            if cookies.get("session") == f"was_{org.name}_for_local_use":
                return org, None
        raise Problem(401, "unauthorized", "Log in with a browser.")


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads, request_queue_size = True, 128


class Handler(WSGIRequestHandler):
    def get_environ(self):
        return {**super().get_environ(), "connection": self.connection}

    def log_message(self, format, *args):
        """Logs nothing."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=4500, help="0: any free port")
    parser.add_argument("--run-seconds", type=float, default=0.3, help="how long a run lasts")
    args = parser.parse_args()
    service = Service(args.run_seconds)
    with make_server("127.0.0.1", args.port, service, Server, Handler) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        facts = {"event": "listening", "url": url, "states_url": f"{url}/states"}
        for prefix, org in zip(("", "other_"), service.organizations):
            facts[f"{prefix}api_key"] = f"wak_{org.name}_for_local_use"
            facts[f"{prefix}session_cookie"] = f"session=was_{org.name}_for_local_use"
        print(json.dumps(facts), flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
