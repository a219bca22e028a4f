"""Training of the handwriting network; never installed, see `scanner/models/MODEL_CARD.md`."""
