"""Settings of hypothesis for all tests: no files in the checkout, no time limit for an example."""

import os
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, configuration, settings

os.environ.pop("PYASP_PUZZLES", None)  # the puzzles that ship are tested, and those that a test makes
_home = TemporaryDirectory()
configuration.set_hypothesis_home_dir(_home.name)  # rather than a directory in the checkout

settings.register_profile(
    "here",
    database=None,
    deadline=None,  # the first board of a run pays for imports
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],  # machines, and random boards, differ
    derandomize="CI" in os.environ,  # a change lands by its own merits; elsewhere every run looks at other boards
)
settings.load_profile("here")
