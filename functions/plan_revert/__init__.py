"""Plans a revert, and proves its result: reads and nothing else."""
