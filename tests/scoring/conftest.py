"""Settings of the property tests here: a slow machine is no failure of theirs."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("scoring", deadline=None)
settings.load_profile("scoring")
