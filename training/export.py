"""Turn networks into the weights that are shipped.

    python -m training.export CHECKPOINT handwriting.onnx

writes the handwriting network; the others write themselves. Weights are stored with 16 bits and widened when
the session is made; the arithmetic stays 32-bit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from scanner.readers.alphabet import SYMBOLS
from scanner.readers.handwriting import VERSION
from scanner.readers.line_image import HEIGHT
from training.network import Reader

# Smaller tensors stay as they are.
LEAST_SIZE = 256


def export(checkpoint: Path, target: Path) -> None:
    """Write the handwriting network as ONNX with its version and symbols."""
    network = Reader()
    network.load_state_dict(torch.load(checkpoint))
    write(
        network,
        target,
        example=torch.zeros(2, 1, HEIGHT, 128),
        names=("lines", "log_probs"),
        axes={"lines": {0: "count", 3: "width"}, "log_probs": {0: "count", 1: "steps"}},
        metadata={"version": VERSION, "symbols": SYMBOLS},
    )


def write(
    network: nn.Module,
    target: Path,
    *,
    example: Tensor,
    names: tuple[str, str],
    axes: dict[str, dict[int, str]],
    metadata: dict[str, str],
    half: bool = True,
) -> None:
    """Write a network with one input and one output as ONNX.

    Args:
        network: It is set to evaluate.
        target: The file; its folder is made.
        example: An input.
        names: Of the input and the output.
        axes: Which of their dimensions may change.
        metadata: What `scanner.readers.network` asks for.
        half: Store large weights with 16 bits.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(),
        (example,),
        str(target),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(target))
    if half:
        halve(model)
    for key, value in metadata.items():
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
