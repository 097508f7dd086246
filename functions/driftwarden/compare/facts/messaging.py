"""SQS, SNS, EventBridge, Step Functions, Pipes, Kinesis, SES, MQ."""

from __future__ import annotations

from driftwarden.compare.facts.vocabulary import Keyed, Kind, TypeFacts

PROCESSORS = "ExtendedS3DestinationConfiguration.ProcessingConfiguration.Processors"

FACTS = {
    "AWS::SQS::Queue": TypeFacts(
        defaults={
            "VisibilityTimeout": 30,
            "DelaySeconds": 0,
            "MessageRetentionPeriod": 345600,
            "ReceiveMessageWaitTimeSeconds": 0,
        },
        users_own=("RedrivePolicy", "RedriveAllowPolicy"),
    ),
    "AWS::Pipes::Pipe": TypeFacts(kinds={"SourceParameters.FilterCriteria.Filters": Kind.SET}),
    "AWS::SNS::Subscription": TypeFacts(kinds={"DeliveryPolicy": Kind.FILLED}),
    "AWS::SNS::Topic": TypeFacts(users_own=("DisplayName",)),
    "AWS::Events::EventBus": TypeFacts(users_own=("Policy",)),
    "AWS::Scheduler::Schedule": TypeFacts(defaults={"State": "ENABLED"}),
    "AWS::SNS::TopicPolicy": TypeFacts(kinds={"Topics": Kind.SET}),
    "AWS::SQS::QueuePolicy": TypeFacts(kinds={"Queues": Kind.SET}),
    "AWS::Events::Rule": TypeFacts(
        kinds={"Targets": Keyed(("Id",))}, defaults={"EventBusName": "default", "State": "ENABLED"}
    ),
    "AWS::StepFunctions::StateMachine": TypeFacts(
        alternates={"Definition": "DefinitionString", "DefinitionString": "Definition"},
        substitutions=dict.fromkeys(("Definition", "DefinitionString"), "DefinitionSubstitutions"),
        defaults={"StateMachineType": "STANDARD", "LoggingConfiguration.IncludeExecutionData": False},
    ),
    "AWS::KinesisFirehose::DeliveryStream": TypeFacts(kinds={f"{PROCESSORS}.*.Parameters": Kind.AT_LEAST}),
    "AWS::SES::ConfigurationSetEventDestination": TypeFacts(
        kinds={"EventDestination.MatchingEventTypes.*": Kind.CASELESS}
    ),
}
