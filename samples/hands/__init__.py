"""Hands: how one player writes. Fonts (`fonts`) or the pen strokes of real writers (`strokes`)."""
