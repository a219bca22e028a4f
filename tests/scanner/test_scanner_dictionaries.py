"""Guards the table of fiducials against another OpenCV."""

from __future__ import annotations

import cv2
import pytest

from scanner.geometry_check import DICTIONARIES


@pytest.mark.parametrize("name", sorted(DICTIONARIES))
def test_every_dictionary_has_as_many_fiducials_as_opencv_says(name: str) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    assert len(dictionary.bytesList) == DICTIONARIES[name]
