"""Turn a checkpoint into the weights that are shipped.

    python -m training.export CHECKPOINT handwriting.onnx

Weights are stored with 16 bits and widened when the session is made; the arithmetic stays 32-bit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from scanner.readers.alphabet import SYMBOLS
from scanner.readers.handwriting import VERSION
from scanner.readers.line_image import HEIGHT
from training.network import Reader

# Smaller tensors stay as they are.
LEAST_SIZE = 256


def export(checkpoint: Path, target: Path) -> None:
    """Write the network as ONNX with its version and symbols."""
    network = Reader()
    network.load_state_dict(torch.load(checkpoint))
    network.eval()
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network,
        (torch.zeros(2, 1, HEIGHT, 128),),
        str(target),
        input_names=["lines"],
        output_names=["log_probs"],
        dynamic_axes={"lines": {0: "count", 3: "width"}, "log_probs": {0: "count", 1: "steps"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(target))
    halve(model)
    for key, value in (("version", VERSION), ("symbols", SYMBOLS)):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def halve(model: onnx.ModelProto) -> None:
    """Store large weights with 16 bits, each widened by a Cast of its own."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != "float32" or values.size < LEAST_SIZE:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype("float16"), f"{name}.half"))
        casts.append(
            onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT)
        )
    for index, node in enumerate(casts):
        model.graph.node.insert(index, node)


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
