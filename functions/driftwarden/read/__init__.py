"""Reading live resources: a type's declared calls become its CloudFormation properties."""
