"""Advice of all tests here shares one store of simulations."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def simulated_here_once(simulated_once: None) -> None:
    """Simulate for a question only what no question before it needed."""
