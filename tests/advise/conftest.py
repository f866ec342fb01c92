"""Advice of all tests here shares one store of simulations."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def simulated_here_once(simulated_once: None) -> None:
    """What one question simulates is not simulated again for the next that needs the same."""
