"""What the client does in everyday work, and when something fails."""

import pytest
from work_agent import Refused


def test_a_run_ends_and_costs_one_credit(organization):
    before = organization.whoami()["credits"]
    assert organization.run_task(organization.create_task("Say hello"))["status"] == "completed"
    assert organization.whoami()["credits"] == before - 1


@pytest.mark.parametrize("organization", [".credits=0"], indirect=True)
def test_without_credits_the_run_is_refused(organization):
    with pytest.raises(Refused) as refusal:
        organization.run_task(organization.create_task("Say hello"))
    assert refusal.value.code == "no_credits"


@pytest.mark.parametrize("organization", [".fault=whoami=unavailable,rate_limited,ok"], indirect=True)
def test_an_outage_is_survived(organization):
    waits = []
    organization.sleep = waits.append
    assert organization.whoami()["org"]["id"]
    assert waits == [1, 1]
