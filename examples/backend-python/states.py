"""Provider states: with them the conformance suite tests what no client can cause. Not for production."""

from organization import RATE_LIMIT, Problem


def number(params, name):
    value = params.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise Problem(400, "invalid_request", f"{name} must be a number of at least 0.")
    return value


def set_credits(org, params):
    org.credits = number(params, "credits")


def wait_until_idle(org, params):
    if not org.wait_until_idle(timeout=30):
        raise Problem(503, "unavailable", "The agent is still working.")


def occupy_agent(org, params):
    org.occupy_agent(number(params, "duration_ms") / 1000)


def limit_rate(org, params):
    org.rate_limit = number(params, "limit"), number(params, "window_s")
    for key in org.keys.values():
        key.recent_requests.clear()


def assign(name, value):
    return lambda org, params: setattr(org, name, value)


def nothing(org, params):
    pass


STATES = {
    "credits": (set_credits, nothing),
    "agent_idle": (wait_until_idle, nothing),
    "agent_busy": (occupy_agent, lambda org, params: org.occupy_agent(0)),
    "next_run_fails": (assign("next_run_fails", True), assign("next_run_fails", False)),
    "next_creative_fails": (assign("next_creative_fails", True), assign("next_creative_fails", False)),
    "unavailable": (assign("unavailable", True), assign("unavailable", False)),
    "rate_limit": (limit_rate, assign("rate_limit", RATE_LIMIT)),
    "unread_notification": (lambda org, params: org.notify("Welcome!"), nothing),
}
"""What the setup and the teardown of each state do."""


def change_state(organizations, body):
    """Does what a request to the states URL asks for."""
    state, params, action = (body.get(name) for name in ("state", "params", "action"))
    if str(state) not in STATES:
        raise Problem(404, "not_found", "This state is not offered.")
    if not isinstance(params, dict) or action not in ("setup", "teardown"):
        raise Problem(400, "invalid_request", "params or action is invalid.")
    org = next((org for org in organizations if org.id == params.get("org_id")), None)
    if org is None:
        raise Problem(400, "invalid_request", "There is no organization with this org_id.")
    setup, teardown = STATES[state]
    change = setup if action == "setup" else teardown
    with org.lock:
        change(org, params)
    return {"ok": True}
