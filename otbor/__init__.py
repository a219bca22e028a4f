"""Otbor: the written qualifier of «Своя игра», from printed blank to posted place.

This package holds what every part shares: the errors and the languages. It imports none of them.
"""

__version__ = "0.1.0"
