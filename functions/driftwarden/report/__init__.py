"""What leaves the process: the JSON object of a stack, the S3 report, the alert."""
