"""The approval gate: two state machines, four functions with a role each, and policies for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as cloudwatch_actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from driftwarden.errors import ConfigurationError
from infra import gate_permissions as may
from infra.accepted import accept, accept_wildcards
from infra.alerts import Alerts
from infra.config import WatchedStack
from infra.gate_function import GateFunction, log_group, settle_for_the_cdk
from infra.gate_permissions import GateResources
from infra.permissions import state_records
from infra.revert_machines import Functions, decide_definition, revert_definition
from infra.scanner import METRICS_NAMESPACE, Shared

MOST_ENVIRONMENT = 3000
"""Characters for the stacks in a function's environment, of which Lambda takes 4 KB altogether."""


class Gate(Construct):
    """What a revert of the watched stacks that allow it goes through."""

    def __init__(
        self, scope: Construct, construct_id: str, *, stacks: Sequence[WatchedStack], shared: Shared
    ) -> None:
        super().__init__(scope, construct_id)
        self._stacks = stacks
        self._shared = shared
        defaults = shared.defaults
        subscribers = defaults.approval_subscriptions or defaults.alert_subscriptions
        self.topic = Alerts(self, "Approvals", key=shared.key, subscribers=subscribers).topic
        self._of = self._resources()
        self.recorder = self._function(
            "Recorder",
            "record_decision",
            "takes the decision on a plan",
            may.recorder_documents(self._of),
        )
        self.requester = self._function(
            "Requester",
            "request_approval",
            "asks for approval, and tells how it ended",
            may.requester_documents(self._of),
            {"APPROVALS_TOPIC_ARN": self.topic.topic_arn, "DECIDE_ARN": self._of.decide},
        )
        reading = list(may.reading_statements(stacks, defaults))
        self.planner = self._function(
            "Planner",
            "plan_revert",
            "plans reverts and proves their results; reads only",
            [*reading, *may.planner_documents(self._of)],
            self._watched("role_arn"),
        )
        self.executor = self._function(
            "Executor",
            "execute_revert",
            "pushes back what was approved",
            [*self._executor_reads(), *may.executor_documents(self._of)],
            self._watched("revert_role_arn"),
        )
        for statement in may.writing_statements(stacks, defaults):
            self.executor.role.add_to_policy(statement)
        self.revert, self.decide = self._machines()
        self._policies()
        self._only_the_recorder_reads_tokens()
        self._alarms()
        self._accept()

    def _resources(self) -> GateResources:
        """The machines have names of ours: the roles of the functions that they call refer to them."""
        stack = cdk.Stack.of(self)

        def machine(name: str) -> str:
            return stack.format_arn(
                service="states",
                resource="stateMachine",
                resource_name=self._name(name),
                arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
            )

        return GateResources(
            reports=self._shared.reports.bucket_arn,
            topic=self.topic.topic_arn,
            key=self._shared.key.key_arn,
            revert=machine("revert"),
            decide=machine("decide"),
        )

    def _name(self, machine: str) -> str:
        return f"{cdk.Stack.of(self).stack_name}-{machine}"

    def _function(
        self,
        name: str,
        module: str,
        what: str,
        statements: Iterable[iam.PolicyStatement],
        environment: dict[str, str] | None = None,
    ) -> GateFunction:
        return GateFunction(
            self,
            name,
            module=module,
            what=what,
            shared=self._shared,
            statements=statements,
            environment=environment or {},
        )

    def _executor_reads(self) -> Iterable[iam.PolicyStatement]:
        """In another account, the executor has a role of its own; the reader's is the planner's."""
        here = [watched for watched in self._stacks if not watched.role_arn]
        return may.reading_statements(here, self._shared.defaults)

    def _watched(self, role: str) -> dict[str, str]:
        """Which stacks the function may work on: a member only where the stack differs from the defaults."""
        defaults = self._shared.defaults
        stacks = {
            f"{watched.region}/{watched.name}": {
                key: value
                for key, value in (
                    ("stateBucket", watched.state_bucket),
                    ("statePrefix", watched.state_prefix),
                    ("roleArn", getattr(watched, role)),
                    ("undeclared", watched.undeclared),
                )
                if value
            }
            for watched in self._stacks
        }
        text = json.dumps(stacks, separators=(",", ":"))
        if len(text) > MOST_ENVIRONMENT:
            raise ConfigurationError(
                f"{len(stacks)} stacks allow reverts, more than fit into the environment of a function. "
                "Deploy a second Driftwarden with a configuration of its own."
            )
        return {
            "REVERTIBLE_STACKS": text,
            "STATE_BUCKET": defaults.state_bucket or f"cdkd-state-{cdk.Aws.ACCOUNT_ID}",
            "STATE_PREFIX": defaults.state_prefix,
            "UNDECLARED": defaults.undeclared,
        }

    def _machines(self) -> tuple[sfn.StateMachine, sfn.StateMachine]:
        functions = Functions(
            partition=cdk.Aws.PARTITION,
            plan=self.planner.function.function_arn,
            ask=self.requester.function.function_arn,
            decide=self.recorder.function.function_arn,
            execute=self.executor.function.function_arn,
        )
        revert = revert_definition(functions, approval_seconds=self._shared.defaults.approval_seconds)
        called = (self.planner, self.requester, self.executor)
        return (
            self._machine("revert", revert, called, [self._of.revert]),
            self._machine("decide", decide_definition(functions), (self.recorder,), []),
        )

    def _machine(
        self, name: str, definition: object, called: Sequence[GateFunction], started: list[str]
    ) -> sfn.StateMachine:
        title = name.capitalize()
        role = iam.Role(
            self,
            f"{title}Role",
            description=f"Driftwarden: runs the state machine {name}",
            assumed_by=iam.ServicePrincipal("states.amazonaws.com"),
        )
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["lambda:InvokeFunction"], resources=[each.function.function_arn for each in called]
            )
        )
        if started:
            role.add_to_policy(iam.PolicyStatement(actions=["states:StartExecution"], resources=started))
        machine = sfn.StateMachine(
            self,
            title,
            state_machine_name=self._name(name),
            definition_body=sfn.DefinitionBody.from_string(cdk.Stack.of(self).to_json_string(definition)),
            role=role,
            tracing_enabled=True,
            # Without the data: the input of the step that waits holds the task token.
            logs=sfn.LogOptions(
                destination=log_group(self, self._shared, f"{title}Log", prefix="/aws/vendedlogs/states/"),
                level=sfn.LogLevel.ALL,
                include_execution_data=False,
            ),
        )
        settle_for_the_cdk(machine)
        accept(
            role,
            "X-Ray and the delivery of a state machine's log take no resource.",
            "AwsSolutions-IAM5[Resource::*]",
        )
        return machine

    def _policies(self) -> None:
        people = {
            "RevertRequester": [may.request_statement(self._of)],
            "RevertApprover": list(may.approve_statements(self._of)),
        }
        for name, statements in people.items():
            policy = iam.ManagedPolicy(
                self,
                name,
                description=f"Driftwarden: {'ask for' if name == 'RevertRequester' else 'decide on'} reverts",
                statements=[*statements, *may.people_statements(self._of)],
            )
            accept_wildcards(
                policy,
                "Documents and executions are named after plans; the patterns cover the gate's own.",
                *self._of.documents("plans", "decisions", "results", "verifications", "outcomes"),
                self._of.revert_runs,
                self._of.decide_runs,
            )
            accept(policy, "Listing state machines takes no resource.", "AwsSolutions-IAM5[Resource::*]")

    def _only_the_recorder_reads_tokens(self) -> None:
        self._shared.reports.add_to_resource_policy(
            iam.PolicyStatement(
                sid="TaskTokens",
                effect=iam.Effect.DENY,
                principals=[iam.AnyPrincipal()],
                actions=["s3:GetObject", "s3:GetObjectVersion"],
                resources=self._of.documents("approvals"),
                conditions={"ArnNotEquals": {"aws:PrincipalArn": self.recorder.role.role_arn}},
            )
        )

    def _alarms(self) -> None:
        """Whoever misses a notice still hears of what failed and of what waits."""
        asked = cloudwatch.Metric(namespace=METRICS_NAMESPACE, metric_name="ApprovalsWanted", statistic="Sum")
        for name, metric, text in (
            (
                "RevertFailed",
                self.revert.metric_failed(),
                "A revert failed, at least in part. The execution says why.",
            ),
            (
                "ApprovalWaiting",
                asked,
                "Somebody wants a revert approved. The approvals topic has the details.",
            ),
            (
                "DecisionFailed",
                self.decide.metric_failed(),
                "A decision on a revert was not taken. The execution says why.",
            ),
        ):
            alarm = cloudwatch.Alarm(
                self,
                name,
                metric=metric,
                threshold=1,
                evaluation_periods=1,
                comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
                treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
                alarm_description=text,
            )
            alarm.add_alarm_action(cloudwatch_actions.SnsAction(self._shared.alerts))

    def _accept(self) -> None:
        keyed = "Documents are named after stacks and plans; the patterns cover one kind of document each."
        of = self._of
        for function, kinds in (
            (self.planner, ("plans", "verifications", "decisions")),
            (self.requester, ("approvals", "outcomes", "plans", "decisions", "results", "verifications")),
            (self.recorder, ("approvals", "plans", "decisions")),
            (self.executor, ("plans", "decisions", "results")),
        ):
            accept_wildcards(function.role, keyed, *of.documents(*kinds))
            accept(
                function.role,
                "Which resources to read or write back is known from state at run time only: actions are "
                "named one by one and bound to the regions. A task token names its execution. X-Ray "
                "takes no resource.",
                "AwsSolutions-IAM5[Resource::*]",
            )
        accept_wildcards(self.planner.role, "The runs of a plan are numbered.", of.revert_runs)
        here = [watched for watched in self._stacks if not watched.role_arn]
        for watched in here:
            records = state_records(watched, self._shared.defaults)
            for function in (self.planner, self.executor):
                accept_wildcards(
                    function.role,
                    "The state record of a stack lies under its name, in one of two layouts.",
                    *records,
                )
            accept_wildcards(
                self.executor.role,
                "State record and lock lie side by side under the stack's name and region.",
                may.own_state(watched, self._shared.defaults),
            )
