"""A service with the work-agent API, two organizations and the standard library only."""

import argparse
import json
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from organization import Organization, Problem, hash_of
from routes import ROUTES, Request, parse_object
from states import change_state

CREATIVE = b'<svg xmlns="http://www.w3.org/2000/svg"><circle cx="32" cy="32" r="32"/></svg>'
MAX_BODY = 1 << 20


class Service(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, port, run_seconds):
        super().__init__(("127.0.0.1", port), Handler)
        self.organizations = [Organization(name, run_seconds) for name in ("acme", "globex")]
        self.sessions = {f"was_{org.name}_for_local_use": org for org in self.organizations}
        for org in self.organizations:
            org.create_key("demo", f"wak_{org.name}_for_local_use")

    def answer(self, method, target, headers, raw_body):
        """The answer as JSON; a Problem is raised for every other."""
        url = urlsplit(target)
        if (method, url.path) == ("POST", "/states"):
            return json.dumps(change_state(self.organizations, parse_object(raw_body)))
        for route_method, pattern, credential, handler in ROUTES:
            match = pattern.fullmatch(url.path)
            if match and route_method == method:
                break
        else:
            raise Problem(404, "not_found", "There is no such route.")
        if credential == "key":
            key = self.find_key(headers)
            org = key and key.organization
        else:
            key, org = None, self.find_session(headers)
        if org is None:
            raise Problem(401, "unauthorized", "Log in with the client, or send a valid API key.")
        request = Request(org, dict(parse_qsl(url.query)), raw_body)
        with org.lock:  # Held until the answer is written out, so that it shows one moment.
            if key:
                key.count_request()
                if org.unavailable:
                    raise Problem(503, "unavailable", "The service is down for a moment.")
            return json.dumps(handler(request, *map(unquote, match.groups())))

    def find_key(self, headers):
        """The key in `Authorization: Bearer <key>` (§5.1)."""
        scheme, _, secret = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        keys = [key for org in self.organizations for key in list(org.keys.values())]
        return next((key for key in keys if key.hash == hash_of(secret)), None)

    def find_session(self, headers):
        """The organization that is logged in with the cookie `session` (§5.4)."""
        cookies = (pair.strip().partition("=") for pair in headers.get("Cookie", "").split(";"))
        return next((self.sessions.get(value) for name, _, value in cookies if name == "session"), None)


class Handler(BaseHTTPRequestHandler):
    """HTTP: reads every body, and answers in JSON."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Headers and body leave in one packet.

    def do_POST(self):
        try:
            self.send(200, self.server.answer(self.command, self.path, self.headers, self.read_body()))
        except Problem as problem:
            self.send(problem.status, json.dumps(problem.body), **problem.headers)
        except Exception:
            traceback.print_exc()
            self.send(500, json.dumps({"error": "internal_error", "message": "Something went wrong here."}))

    do_DELETE = do_POST

    def do_GET(self):
        if self.path.startswith("/creatives/"):
            self.send(200, CREATIVE, **{"Content-Type": "image/svg+xml"})
        else:
            self.do_POST()

    def read_body(self):
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            raise Problem(400, "invalid_request", "Send a Content-Length, and at most 1 MiB.")
        return self.rfile.read(int(length))

    def send(self, status, text, **headers):
        body = text if isinstance(text, bytes) else text.encode()
        connection = {"Connection": "close"} if self.close_connection else {}
        headers = {"Content-Type": "application/json", "Content-Length": len(body), **connection, **headers}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_error(self, code, message=None, explain=None):
        """What http.server refuses by itself, such as an unknown method, has a JSON answer too."""
        self.close_connection = True
        self.send(400, json.dumps({"error": "invalid_request", "message": "The API has no such request."}))

    def log_message(self, format, *args):
        """Logs nothing."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=4500, help="0: any free port")
    parser.add_argument("--run-seconds", type=float, default=0.3, help="how long a run lasts")
    args = parser.parse_args()
    with Service(args.port, args.run_seconds) as service:
        url = f"http://127.0.0.1:{service.server_port}"
        description = {"event": "listening", "url": url, "states_url": f"{url}/states"}
        for prefix, org in zip(("", "other_"), service.organizations):
            description[f"{prefix}api_key"] = f"wak_{org.name}_for_local_use"
            description[f"{prefix}session_cookie"] = f"session=was_{org.name}_for_local_use"
        print(json.dumps(description), flush=True)
        try:
            service.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
