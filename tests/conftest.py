"""Settings of hypothesis for all tests; which cases of a test are slow; what skips mean."""

import os
import signal
from collections.abc import Generator
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, configuration, settings

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script; tests send it to commands
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.pop("PYASP_PUZZLES", None)  # the puzzles that ship are tested, and those that a test makes
_home = TemporaryDirectory()
configuration.set_hypothesis_home_dir(_home.name)  # rather than a directory in the checkout


def pytest_configure(config: pytest.Config) -> None:
    """Set what hypothesis does: in CI, a change lands by its own merits; elsewhere every run looks at other boards."""
    settings.register_profile(
        "here",
        database=None,
        deadline=None,  # the first board of a run pays for imports
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],  # machines and boards differ
        derandomize="CI" in os.environ and config.getoption("--hypothesis-seed") is None,
    )
    settings.load_profile("here")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of a test that is `sampled`: all but some are slow, and of these, all but some for the night.

    What runs alone, or at night, is slow, too.
    """
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        fast, *slow = next(cases[0].iter_markers("sampled")).args
        for case in _others(cases, fast):
            case.add_marker("slow")
        for case in _others(_others(cases, fast), *slow) if slow else []:
            case.add_marker("night")
    for item in items:
        if item.get_closest_marker("alone") or item.get_closest_marker("night"):
            item.add_marker("slow")


def _others(cases: list[pytest.Item], number: int) -> list[pytest.Item]:
    """Return cases without so many of them, spread evenly."""
    few = {i * len(cases) // number for i in range(number)}
    return [case for i, case in enumerate(cases) if i not in few]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let a test that is skipped fail where NO_SKIPS is set: there nothing that it needs should be missing."""
    report = yield
    if report.skipped and os.environ.get("NO_SKIPS"):
        report.outcome, report.longrepr = "failed", f"{item.nodeid} is skipped: {report.longrepr[-1]}"
    return report
