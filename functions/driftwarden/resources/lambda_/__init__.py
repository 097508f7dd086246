"""AWS Lambda."""

from __future__ import annotations

from driftwarden.resources.lambda_.event_source_mapping import EVENT_SOURCE_MAPPING
from driftwarden.resources.lambda_.function import FUNCTION, LAYER_VERSION, MICROVM_IMAGE
from driftwarden.resources.lambda_.invocation import EVENT_INVOKE_CONFIG, PERMISSION, URL

TYPES = (EVENT_INVOKE_CONFIG, EVENT_SOURCE_MAPPING, FUNCTION, LAYER_VERSION, MICROVM_IMAGE, PERMISSION, URL)
