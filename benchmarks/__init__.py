"""Speed compared with other programs: `python -m benchmarks`, from the checkout."""
