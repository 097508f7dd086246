"""The configuration file: what it accepts, and what it says when it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from driftwarden.errors import ConfigurationError
from infra.config import load, recorded

Write = Callable[[str], Path]

SHOP = '[[stacks]]\nname = "Shop"\nregion = "eu-central-1"\n'


def test_the_committed_example_is_valid() -> None:
    example = Path(__file__).parents[2] / "infra" / "watched-stacks.example.toml"
    assert [stack.name for stack in load(example).stacks] == ["Shop", "Billing", "Partner"]


def test_a_stack_needs_a_name_and_a_region_and_nothing_else(write_config: Write) -> None:
    watch = load(write_config(SHOP))
    assert watch.defaults.state_prefix == "cdkd"
    assert watch.stacks[0].undeclared is None


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (SHOP + 'schedul = "rate(1 hour)"\n', 4, "stacks.0.schedul: no such setting"),
        (SHOP + "\n" + SHOP.replace("eu-central-1", "Frankfurt"), 7, "stacks.1.region: does not look right"),
        ('[[stacks]]\nname = "Shop"\n', 1, "stacks.0.region: Field required"),
        ('[defaults]\nschedule = "hourly"\n\n' + SHOP, 2, "defaults.schedule: does not look right"),
        ("[defaults]\nreport_retention_days = 0\n" + SHOP, 2, "defaults.report_retention_days"),
        (SHOP + 'secrets = [\n  "db-password",\n]\n', 4, "stacks.0.secrets.0: does not look right"),
        (SHOP + 'extra_read_actions = ["s3:PutObject"]\n', 4, "stacks.0.extra_read_actions.0"),
        (SHOP + 'extra_read_actions = ["s3:Get*"]\n', 4, "stacks.0.extra_read_actions.0"),
        (SHOP + SHOP, 1, "stack Shop in eu-central-1 is listed twice"),
        (SHOP + 'name = "Shop"\n', 4, "not valid TOML"),
        ('[defaults]\nstate_prefix = "cdkd"\n', 1, "stacks: Field required"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(
    write_config: Write, text: str, line: int, says: str
) -> None:
    path = write_config(text)
    with pytest.raises(ConfigurationError) as fault:
        load(path)
    message = str(fault.value)
    assert says in message
    assert f"{path}:{line}" in message or f"line {line}" in message


def test_all_faults_are_told_at_once(write_config: Write) -> None:
    path = write_config('[defaults]\ntimezone = "+2"\n[[stacks]]\nname = "1"\nregion = "eu-central-1"\n')
    with pytest.raises(ConfigurationError) as fault:
        load(path)
    assert [line.split(": ")[0] for line in str(fault.value).splitlines()] == [f"{path}:2", f"{path}:4"]


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"watched-stacks\.example\.toml"):
        load(tmp_path / "none.toml")


def test_the_settings_of_the_own_role_are_refused_beside_another_accounts_role(write_config: Write) -> None:
    role = 'role_arn = "arn:aws:iam::444455556666:role/reader"\n'
    path = write_config(SHOP + role + 'resource_types = ["AWS::SQS::Queue"]\n')
    with pytest.raises(ConfigurationError, match="resource_types: not used with role_arn"):
        load(path)


def test_types_come_from_one_place(write_config: Write, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"resources": {}}')
    path = write_config(SHOP + 'resource_types = ["AWS::SQS::Queue"]\nstate_file = "state.json"\n')
    with pytest.raises(ConfigurationError, match="give resource_types or state_file, not both"):
        load(path)


def test_a_state_file_is_found_beside_the_configuration(write_config: Write, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"resources": {}}')
    watched = load(write_config(SHOP + 'state_file = "state.json"\n')).stacks[0]
    assert watched.state_file == str(tmp_path / "state.json")


@pytest.mark.parametrize("content", [None, "not json", "[]", "{}", '{"resources": 1}'])
def test_a_state_file_that_is_none_is_refused(
    write_config: Write, tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "state.json").write_text(content)
    path = write_config(SHOP + 'state_file = "state.json"\n')
    with pytest.raises(ConfigurationError, match=r":4: stacks\.0\.state_file: .*is not a state record"):
        load(path)


def test_a_state_file_gives_types_and_parameters_and_skips_rows_it_cannot_read(tmp_path: Path) -> None:
    rows = {
        "Queue": {"resourceType": "AWS::SQS::Queue", "physicalId": "q"},
        "Limit": {"resourceType": "AWS::SSM::Parameter", "physicalId": "/shop/limit"},
        "Broken": "text",
        "NoType": {"physicalId": "x"},
    }
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"version": 8, "resources": rows}))
    found = recorded(path)
    assert found.types == ("AWS::SQS::Queue", "AWS::SSM::Parameter")
    assert found.parameters == ("/shop/limit",)
