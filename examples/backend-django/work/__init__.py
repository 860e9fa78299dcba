"""The Django application: models, routes, the agent, and provider states."""
