"""`python3 main.py 'Say hello'`: runs a task for each text. The environment says where, and with which key."""

import os
import sys

from work_agent import Client, NoAnswer, Refused

client = Client(os.environ["WORK_AGENT_BASE_URL"], os.environ["WORK_AGENT_API_KEY"])
refused = 0
try:
    client.whoami()
    for text in sys.argv[1:] or ["Say hello"]:
        task = client.create_task(text)
        try:
            print(f"{text}: {client.run_task(task)['status']}")
        except Refused as refusal:
            if refusal.code != "invalid_request":  # Only this task cannot run; the next one may.
                raise
            print(f"{text}: refused, {refusal}")
            refused = 1
except (Refused, NoAnswer) as error:
    sys.exit(str(error))
sys.exit(refused)
