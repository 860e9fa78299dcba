"""One mock for the whole test run, and an organization of its own for each test."""

import json
import os
import shlex
import subprocess

import pytest
from work_agent import Client

COMMAND = os.environ.get("WORK_AGENT_COMMAND", "npx --no-install work-agent-contract")


@pytest.fixture(scope="session")
def server():
    flags = ["mock", "--port", "0", "--log", "json", "--run-progress", "polls:2"]
    with subprocess.Popen(shlex.split(COMMAND) + flags, stdout=subprocess.PIPE, text=True) as mock:
        yield json.loads(mock.stdout.readline())["url"]
        mock.terminate()
        mock.stdout.close()


@pytest.fixture
def organization(server, request):
    """A client of a new organization. Options may follow the name: `.credits=0`, `.fault=runTask=busy`."""
    options = getattr(request, "param", "")
    return Client(server, f"wak_test_{request.node.originalname}{options}", sleep=lambda seconds: None)
