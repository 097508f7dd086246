"""Lambda functions, their addresses, event sources and asynchronous invocations, on an emulated AWS."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import boto3
import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle import gaps
from tests.lifecycle.conftest import REGION, Life

ACCOUNT = "123456789012"
NAME = {"FunctionName": "worker"}
ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:worker"
FAILED = f"arn:aws:sqs:{REGION}:{ACCOUNT}:failed"
RETRIES: dict[str, Any] = {
    "MaximumRetryAttempts": 1,
    "MaximumEventAgeInSeconds": 600,
    "DestinationConfig": {"OnFailure": {"Destination": FAILED}},
}
TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ],
}


def code() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("index.py", "def handler(event, context): return event")
    return packed.getvalue()


def role(name: str) -> str:
    iam = boto3.client("iam", region_name=REGION)
    arn: str = iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(TRUST))["Role"]["Arn"]
    return arn


@pytest.fixture
def functions(life: Life, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client, and a function. Whatever comes up is drift, whether a template declares it or not."""
    life.settings = ScanSettings(undeclared="drift")
    gaps.fill(
        life,
        monkeypatch,
        {
            "GetFunctionRecursionConfig": lambda _: {"RecursiveLoop": "Terminate"},
            "GetRuntimeManagementConfig": lambda _: {"UpdateRuntimeOn": "Auto"},
        },
    )
    client = boto3.client("lambda", region_name=REGION)
    client.create_function(
        **NAME,
        Runtime="python3.12",
        Handler="index.handler",
        Role=role("worker"),
        Code={"ZipFile": code()},
        Timeout=30,
        MemorySize=256,
        Description="works",
        Environment={"Variables": {"STAGE": "live", "TABLE": "orders"}},
        Tags={"team": "shop", "tier": "1"},
    )
    return client


class TestFunction:
    @pytest.fixture(autouse=True)
    def worker(self, life: Life, functions: Any) -> None:
        self.life, self.client = life, functions
        self.other_role = role("other")
        life.record("Worker", "AWS::Lambda::Function", "worker", NAME)

    def configure(self, **values: Any) -> None:
        self.client.update_function_configuration(**NAME, **values)

    @pytest.mark.parametrize(
        ("edit", "path", "sent"),
        [
            ({"Timeout": 900}, "Timeout", {"Timeout": 30}),
            ({"MemorySize": 128}, "MemorySize", {"MemorySize": 256}),
            ({"Description": ""}, "Description", {"Description": "works"}),
            ({"Handler": "index.other"}, "Handler", {"Handler": "index.handler"}),
            ({"Runtime": "python3.13"}, "Runtime", {"Runtime": "python3.12"}),
            (
                {"Environment": {"Variables": {"STAGE": "test", "TABLE": "orders"}}},
                "Environment.Variables.STAGE",
                {"Environment": {"Variables": {"STAGE": "live", "TABLE": "orders"}}},
            ),
            (
                {"Environment": {"Variables": {"STAGE": "live"}}},
                "Environment.Variables.TABLE",
                {"Environment": {"Variables": {"STAGE": "live", "TABLE": "orders"}}},
            ),
            (
                {"Environment": {"Variables": {"STAGE": "live", "TABLE": "orders", "DEBUG": "1"}}},
                "Environment.Variables.DEBUG",
                {"Environment": {"Variables": {"STAGE": "live", "TABLE": "orders"}}},
            ),
        ],
    )
    def test_only_the_drifted_member_is_sent(
        self, edit: dict[str, Any], path: str, sent: dict[str, Any]
    ) -> None:
        self.life.goes_round("Worker", lambda: self.configure(**edit), expect=[path])
        assert self.life.calls == [("UpdateFunctionConfiguration", {**NAME, **sent})]

    def test_another_role_goes_back(self) -> None:
        self.life.goes_round("Worker", lambda: self.configure(Role=self.other_role), expect=["Role"])
        assert self.life.written() == ["UpdateFunctionConfiguration"]

    def test_several_members_go_back_in_one_request(self) -> None:
        self.life.goes_round(
            "Worker", lambda: self.configure(Timeout=1, MemorySize=512), expect=["Timeout", "MemorySize"]
        )
        assert self.life.written() == ["UpdateFunctionConfiguration"]

    def test_an_environment_that_was_not_there_is_emptied(self) -> None:
        self.configure(Environment={"Variables": {}})
        self.life.record("Worker", "AWS::Lambda::Function", "worker", NAME)
        self.life.goes_round(
            "Worker",
            lambda: self.configure(Environment={"Variables": {"DEBUG": "1"}}),
            expect=["Environment.Variables.DEBUG"],
        )
        assert self.life.calls[0][1]["Environment"] == {"Variables": {}}

    def test_a_masked_variable_keeps_its_live_value(self) -> None:
        observed = self.life.read("Worker")
        observed["Environment"] = {"Variables": {"STAGE": "live", "TABLE": "***"}}
        template = {**NAME, "Environment": {"Variables": {"STAGE": "live", "TABLE": "***"}}}
        leaves = [["Environment", "Variables", "TABLE"]]
        self.life.record(
            "Worker",
            "AWS::Lambda::Function",
            "worker",
            template,
            observedProperties=observed,
            noEchoLeaves=leaves,
        )
        self.configure(Environment={"Variables": {"STAGE": "test", "TABLE": "rotated"}})
        self.life.forget_calls()
        self.life.revert()
        assert self.life.calls == [
            (
                "UpdateFunctionConfiguration",
                {**NAME, "Environment": {"Variables": {"STAGE": "live", "TABLE": "rotated"}}},
            )
        ]

    @pytest.mark.parametrize(
        ("tags", "removed", "written"),
        [
            ({"new": "1"}, [], ["UntagResource"]),
            ({"team": "other"}, [], ["TagResource"]),
            ({}, ["tier"], ["TagResource"]),
        ],
        ids=["added", "changed", "removed"],
    )
    def test_of_tags_only_the_difference_is_sent(
        self, tags: dict[str, str], removed: list[str], written: list[str]
    ) -> None:
        def edit() -> None:
            self.client.tag_resource(Resource=ARN, Tags=tags)
            if removed:
                self.client.untag_resource(Resource=ARN, TagKeys=removed)

        self.life.goes_round("Worker", edit, expect=["Tags"])
        assert self.life.written() == written
        assert self.life.calls[0][1]["Resource"] == ARN

    def reserve(self, number: int) -> None:
        self.client.put_function_concurrency(**NAME, ReservedConcurrentExecutions=number)

    def test_a_reserved_concurrency_of_which_the_record_says_nothing_is_left_alone(self) -> None:
        self.reserve(5)
        self.life.forget_calls()
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.LEFT_ALONE
        assert self.life.revert() == []
        assert self.life.calls == []

    @pytest.mark.parametrize("edited", [7, None])
    def test_a_reserved_concurrency_that_was_changed_or_removed_is_put(self, edited: int | None) -> None:
        self.reserve(5)
        self.life.record("Worker", "AWS::Lambda::Function", "worker", NAME)

        def edit() -> None:
            if edited is None:
                self.client.delete_function_concurrency(**NAME)
            else:
                self.reserve(edited)

        self.life.goes_round("Worker", edit, expect=["ReservedConcurrentExecutions"])
        assert self.life.calls == [("PutFunctionConcurrency", {**NAME, "ReservedConcurrentExecutions": 5})]

    @pytest.mark.parametrize(("recorded", "live", "announced"), [(5, 0, True), (0, 5, True), (5, 7, False)])
    def test_starting_or_stopping_a_function_is_announced(
        self, recorded: int, live: int, announced: bool
    ) -> None:
        self.reserve(recorded)
        self.life.record("Worker", "AWS::Lambda::Function", "worker", NAME)
        self.reserve(live)
        (step,) = self.life.plan().steps
        assert any("stopped" in warning for warning in step.warnings) == announced

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("FunctionName", "other"),
            ("PackageType", "Image"),
            ("Architectures", ["arm64"]),
            ("Code", {"ImageUri": "other"}),
        ],
    )
    def test_what_only_a_deploy_can_change_is_refused_before_the_first_request(
        self, name: str, value: Any
    ) -> None:
        observed = {**self.life.read("Worker"), "Timeout": 5, name: value}
        self.life.record("Worker", "AWS::Lambda::Function", "worker", NAME, observedProperties=observed)
        self.life.forget_calls()
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        assert self.life.revert() == []
        assert self.life.calls == []


class TestUrl:
    @pytest.fixture(autouse=True)
    def url(self, life: Life, functions: Any) -> None:
        self.life, self.client = life, functions

    def recorded(self, **settings: Any) -> None:
        made = self.client.create_function_url_config(**NAME, AuthType="AWS_IAM", **settings)
        template = {"TargetFunctionArn": "worker", "AuthType": "AWS_IAM"}
        self.life.record("Url", "AWS::Lambda::Url", made["FunctionArn"], template)

    def update(self, **settings: Any) -> None:
        self.client.update_function_url_config(**NAME, **settings)

    def test_a_public_address_becomes_private_again(self) -> None:
        self.recorded()
        self.life.goes_round("Url", lambda: self.update(AuthType="NONE"), expect=["AuthType"])
        assert self.life.calls == [("UpdateFunctionUrlConfig", {"FunctionName": ARN, "AuthType": "AWS_IAM"})]

    def test_origins_go_back_without_a_word_about_authentication(self) -> None:
        self.recorded(Cors={"AllowOrigins": ["https://shop.example"], "MaxAge": 60})
        self.life.goes_round(
            "Url",
            lambda: self.update(Cors={"AllowOrigins": ["*"], "MaxAge": 60}),
            expect=["Cors.AllowOrigins"],
        )
        assert self.life.calls == [
            (
                "UpdateFunctionUrlConfig",
                {"FunctionName": ARN, "Cors": {"AllowOrigins": ["https://shop.example"], "MaxAge": 60}},
            )
        ]

    def test_a_record_that_says_public_is_announced(self) -> None:
        self.recorded()
        observed = {**self.life.read("Url"), "AuthType": "NONE"}
        self.life.record(
            "Url", "AWS::Lambda::Url", ARN, {"TargetFunctionArn": "worker"}, observedProperties=observed
        )
        (step,) = self.life.plan().steps
        assert step.warnings == ("AuthType: anybody who knows the address can invoke the function",)

    @pytest.mark.parametrize("nothing", ["", None])
    def test_a_record_without_authentication_never_makes_the_address_public(self, nothing: Any) -> None:
        self.recorded()
        observed = {**self.life.read("Url"), "AuthType": nothing}
        self.life.record(
            "Url", "AWS::Lambda::Url", ARN, {"TargetFunctionArn": "worker"}, observedProperties=observed
        )
        self.life.forget_calls()
        assert self.life.plan().steps == ()
        assert self.life.revert() == []
        assert self.life.calls == []


class TestEventSourceMapping:
    @pytest.fixture(autouse=True)
    def mapping(self, life: Life, functions: Any) -> None:
        self.life, self.client = life, functions
        sqs = boto3.client("sqs", region_name=REGION)
        sqs.create_queue(QueueName="orders")
        made = functions.create_event_source_mapping(
            **NAME,
            EventSourceArn=f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders",
            BatchSize=5,
            Enabled=True,
            MaximumBatchingWindowInSeconds=0,
        )
        self.id = made["UUID"]
        life.record("Orders", "AWS::Lambda::EventSourceMapping", self.id, {"FunctionName": "worker"})

    def update(self, **settings: Any) -> None:
        self.client.update_event_source_mapping(UUID=self.id, **settings)

    def test_only_the_drifted_member_is_sent(self) -> None:
        self.life.goes_round("Orders", lambda: self.update(BatchSize=9), expect=["BatchSize"])
        assert self.life.calls == [("UpdateEventSourceMapping", {"UUID": self.id, "BatchSize": 5})]

    def test_a_stopped_mapping_starts_again_and_that_is_announced(self) -> None:
        self.update(Enabled=False)
        (step,) = self.life.plan().steps
        assert step.warnings == ("Enabled: everything that piled up at the source is processed",)
        self.life.forget_calls()
        self.life.revert()
        assert self.life.calls == [("UpdateEventSourceMapping", {"UUID": self.id, "Enabled": True})]
        assert self.life.drift() == {}


class TestEventInvokeConfig:
    """The emulator keeps only the first configuration; here each replaces the one before, as in Lambda."""

    @pytest.fixture(autouse=True)
    def config(self, life: Life, functions: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life, self.client = life, functions
        self.live: dict[str, Any] = {}

        def put(params: dict[str, Any]) -> None:
            self.live = {name: value for name, value in params.items() if name != "FunctionName"}

        kept = {"PutFunctionEventInvokeConfig": put, "GetFunctionEventInvokeConfig": lambda _: self.live}
        gaps.fill(life, monkeypatch, kept)
        self.put(**RETRIES)
        template = {"FunctionName": "worker", "Qualifier": "$LATEST"}
        life.record("Retries", "AWS::Lambda::EventInvokeConfig", "worker|$LATEST", template)

    def put(self, **settings: Any) -> None:
        self.client.put_function_event_invoke_config(**NAME, **settings)

    @pytest.mark.parametrize(
        ("edit", "path"),
        [
            ({"MaximumRetryAttempts": 0}, "MaximumRetryAttempts"),
            ({"MaximumEventAgeInSeconds": 60}, "MaximumEventAgeInSeconds"),
            (
                {"DestinationConfig": {"OnFailure": {"Destination": f"{FAILED}-elsewhere"}}},
                "DestinationConfig.OnFailure.Destination",
            ),
        ],
    )
    def test_a_changed_setting_goes_back_with_all_others(self, edit: dict[str, Any], path: str) -> None:
        self.life.goes_round("Retries", lambda: self.put(**{**RETRIES, **edit}), expect=[path])
        assert self.life.calls == [("PutFunctionEventInvokeConfig", {**NAME, **RETRIES})]

    def test_another_qualifier_is_refused(self) -> None:
        observed = {**self.life.read("Retries"), "Qualifier": "live"}
        self.life.record(
            "Retries", "AWS::Lambda::EventInvokeConfig", "worker|$LATEST", NAME, observedProperties=observed
        )
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED


class TestPermission:
    """A statement that is made again has another id: by the old one the record would look for it in vain."""

    @pytest.fixture(autouse=True)
    def permission(self, life: Life, functions: Any) -> None:
        self.life, self.client = life, functions
        self.grant("allow", "events.amazonaws.com")
        template = {**NAME, "Action": "lambda:InvokeFunction", "Principal": "events.amazonaws.com"}
        life.record("Permission", "AWS::Lambda::Permission", "allow", template)

    def grant(self, statement: str, principal: str) -> None:
        self.client.add_permission(
            **NAME, StatementId=statement, Action="lambda:InvokeFunction", Principal=principal
        )

    @pytest.mark.parametrize(
        "observed", [{"Principal": "s3.amazonaws.com"}, {"Action": "lambda:*"}, {"SourceAccount": ACCOUNT}]
    )
    def test_a_drifted_statement_is_never_removed(self, observed: dict[str, str]) -> None:
        template = {**NAME, "Action": "lambda:InvokeFunction", "Principal": "events.amazonaws.com"}
        recorded = {**self.life.read("Permission"), **observed}
        self.life.record(
            "Permission", "AWS::Lambda::Permission", "allow", template, observedProperties=recorded
        )
        self.life.forget_calls()
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        assert self.life.revert() == []
        assert self.life.calls == []
