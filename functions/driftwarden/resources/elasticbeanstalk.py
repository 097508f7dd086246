"""AWS Elastic Beanstalk."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::ElasticBeanstalk::ConfigurationTemplate": TypeFacts(kinds={"OptionSettings": Kind.AT_LEAST}),
    "AWS::ElasticBeanstalk::Environment": TypeFacts(kinds={"OptionSettings": Kind.AT_LEAST}),
}
