"""What all tests share: they write under temporary directories only, and may take their time."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, configuration, settings

settings.register_profile(
    "here",
    database=None,
    deadline=None,  # the first board of a run pays for imports
    suppress_health_check=[HealthCheck.too_slow],  # machines differ
)
settings.load_profile("here")


@pytest.fixture(autouse=True, scope="session")
def _hypothesis_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep hypothesis from making a directory in the checkout."""
    configuration.set_hypothesis_home_dir(tmp_path_factory.mktemp("hypothesis"))
