"""The Prefect flows. Importing Prefect takes two seconds: only who runs a flow imports one, through `pipelines.run`."""

import os

# Prefect reports usage to its makers unless it is told not to: what a casino runs is nobody's business
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
