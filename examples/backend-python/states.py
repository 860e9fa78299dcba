"""Provider states: with them the suite tests what no client can cause. Not for production."""

from organization import RATE_LIMIT, Problem

SWITCHES = "next_run_fails", "next_creative_fails", "unavailable"
OTHERS = "credits", "agent_idle", "agent_busy", "rate_limit", "unread_notification"
STATES = *SWITCHES, *OTHERS, "answer_lost"
# The handlers of the requests whose answer can be lost, by their operation.
LOSABLE = {"runTask": "run_task", "generateCreative": "generate_creative"}


def change_state(organizations, body):
    """Does what a request to the states URL asks for."""
    state, params, action = (body.get(name) for name in ("state", "params", "action"))
    if state not in STATES:
        raise Problem(404, "not_found", "This state is not offered.")
    try:
        org = next(org for org in organizations if org.id == params["org_id"])
        is_setup = {"setup": True, "teardown": False}[action]
        numbers = [value for name, value in params.items() if name not in ("org_id", "operation")]
        if any(value < 0 for value in numbers):
            raise ValueError
        with org.lock:
            arrange(org, state, params, is_setup)
    except (KeyError, StopIteration, TypeError, ValueError):
        raise Problem(400, "invalid_request", "The action or a parameter is invalid.") from None
    return {"ok": True}


def arrange(org, state, params, is_setup):
    if state in SWITCHES:
        setattr(org, state, is_setup)
    elif state == "agent_busy":
        org.occupy_agent(params["duration_ms"] / 1000 if is_setup else 0)
    elif state == "answer_lost":
        org.answer_lost = LOSABLE[params["operation"]] if is_setup else None
    elif state == "rate_limit":
        org.rate_limit = (params["limit"], params["window_s"]) if is_setup else RATE_LIMIT
        org.recent_requests.clear()
    elif state == "credits" and is_setup:
        org.credits = params["credits"]
    elif state == "agent_idle" and is_setup:
        org.agent_freed.wait_for(lambda: not org.is_occupied() and not org.waiting_tasks, 30)
    elif state == "unread_notification" and is_setup:
        org.notify("Welcome!")
