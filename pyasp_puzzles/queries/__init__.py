"""What can be asked of an instance: solve, count, check, review."""
