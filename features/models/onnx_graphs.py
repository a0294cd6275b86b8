"""Models as graphs of onnxruntime: exported once, cached, and run.

A graph is cached under the digest of its weights, in the form in which the processor computes with
it: optimised, its weights packed in a file of their own, which all processes of a machine map and
share.
"""

from __future__ import annotations

import hashlib
import logging
import platform
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from features.models.atomic_write import sync, temporary_path_beside
from features.models.batching import padded, readable, threads
from features.models.cache_folder import cache_folder
from features.models.model_spec import Floats, Tokens

ONNX_OPSET_VERSION = 17
BATCH_CELLS = 256  # tokens of a batch whose activations stay in the processor's cache
GRAPH_INPUT_NAMES = ("input_ids", "attention_mask", "token_type_ids")
GRAPH_FILE = "graph.onnx"
PACKED_WEIGHTS_FILE = "weights.bin"
PACKING_OPTIONS = {
    "session.optimized_model_external_initializers_file_name": PACKED_WEIGHTS_FILE,
    "session.optimized_model_external_initializers_min_size_in_bytes": "4096",
    "session.save_external_prepacked_constant_initializers": "1",
}


class OnnxRunner:
    """A graph and its tokenizer. Implements ``features.models.model_spec.Runner``."""

    def __init__(self, graph: Path, tokenizer: Path, max_length: int, digest: str) -> None:
        from tokenizers import Tokenizer

        self.digest = digest
        self.max_batch_cells = BATCH_CELLS
        self.parallel_batches = threads()
        self._longest = max_length
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length)
        self._graph = graph
        self._opening = Lock()

    def tokens(self, texts: Sequence[str], pairs: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts."""
        batch: list[Any] = readable(texts, self._longest)
        if pairs is not None:
            batch = list(zip(batch, readable(pairs, self._longest), strict=True))
        encodings = self._tokenizer.encode_batch_fast(batch)
        return [(encoding.ids, encoding.type_ids) for encoding in encodings]

    def run(self, batch: Sequence[Tokens]) -> tuple[Floats, ...]:
        """Return the outputs of the graph for a batch."""
        # Opened by the first thread; a process that only needs digests never opens it.
        with self._opening:
            onnx_session = self._session
        # Some models have no input for token types.
        input_names = {graph_input.name for graph_input in onnx_session.get_inputs()}
        inputs = {}
        for name, values in zip(GRAPH_INPUT_NAMES, padded(batch), strict=True):
            if name in input_names:
                inputs[name] = values
        return tuple(onnx_session.run(None, inputs))

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # One batch per thread, so that no thread waits for another's half of a product.
        options.intra_op_num_threads = 1
        # The cached graph is optimised already.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(
            str(self._graph), options, providers=["CPUExecutionProvider"]
        )


def cached_graph(graph_key: str, write_graph: Callable[[Path], None]) -> Path:
    """Return the file of the graph with this key, which is written first if it is not cached.

    Each graph has a folder of its own, and another process never sees half of it.
    """
    graph_path = (
        cache_folder() / f"{graph_key}-opset{ONNX_OPSET_VERSION}-{_packing_digest()}" / GRAPH_FILE
    )
    if not graph_path.is_file():
        temporary_folder = temporary_path_beside(graph_path.parent)
        try:
            temporary_folder.mkdir(parents=True)
            write_graph(temporary_folder / GRAPH_FILE)
            for file in temporary_folder.iterdir():
                sync(file)
            with suppress(OSError):  # another process was faster
                temporary_folder.rename(graph_path.parent)
        finally:
            shutil.rmtree(temporary_folder, ignore_errors=True)
    return graph_path


def export(model: Any, graph_path: Path, output_names: tuple[str, ...]) -> None:
    """Write a torch model as a graph, optimised, its weights as this processor multiplies by them.

    The same numbers come out, but a session has no weights of its own. ``output_names``: the
    names of the model's outputs, in order.
    """
    exported_path = graph_path.with_name("exported.onnx")
    export_plain(model, exported_path, output_names)
    _optimise(exported_path, graph_path)


def export_in_bytes(model: Any, graph_path: Path, output_names: tuple[str, ...]) -> None:
    """Write a torch model as ``export`` does, but with products of bytes (Jacob et al. 2018).

    Each column of a weight matrix is scaled to a byte once, the states of a batch when they are
    multiplied. That takes about a quarter of the time, and the numbers differ a little.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exported_path = graph_path.with_name("exported.onnx")
    bytes_path = graph_path.with_name("bytes.onnx")
    export_plain(model, exported_path, output_names)
    with _quiet_quantisation():
        quantize_dynamic(
            exported_path,
            bytes_path,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul"],
        )
    exported_path.unlink()
    _optimise(bytes_path, graph_path)


@contextmanager
def _quiet_quantisation() -> Iterator[None]:
    """Keep onnxruntime from advising a step that this graph, which is optimised later, has no use for."""
    root_logger = logging.getLogger()
    earlier_level = root_logger.level
    root_logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root_logger.setLevel(earlier_level)


def _optimise(exported_path: Path, graph_path: Path) -> None:
    """Write an exported graph in optimised form, its packed weights beside it, and remove the first."""
    import onnxruntime

    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = 1
    session_options.optimized_model_filepath = str(graph_path)
    session_options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    )
    for option, value in PACKING_OPTIONS.items():
        session_options.add_session_config_entry(option, value)
    onnxruntime.InferenceSession(
        str(exported_path), session_options, providers=["CPUExecutionProvider"]
    )
    exported_path.unlink()


@lru_cache(maxsize=1)
def _packing_digest() -> str:
    """Return a digest of what the packing of weights depends on.

    That is the version of onnxruntime and the instructions of the processor.
    """
    processor_features = platform.processor()
    for line in _processor_lines():
        if line.startswith(("flags", "Features")):
            processor_features = line
            break
    platform_description = f"{version('onnxruntime')} {platform.machine()} {processor_features}"
    return hashlib.sha256(platform_description.encode()).hexdigest()[:8]


def _processor_lines() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return []


def export_plain(model: Any, graph_path: Path, output_names: tuple[str, ...]) -> None:
    """Write a torch model as a graph whose batch and length are free."""
    import torch

    class Graph(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            inputs = dict(
                zip(GRAPH_INPUT_NAMES, (input_ids, attention_mask, token_type_ids), strict=True)
            )
            return tuple(self.model(**inputs, return_dict=False)[: len(output_names)])

    example_input = torch.ones((2, 8), dtype=torch.int64)
    # The names of the free axes: all inputs and the states are (batch, length, ...).
    free_axes = {name: {0: "batch", 1: "length"} for name in GRAPH_INPUT_NAMES}
    for name in output_names:
        free_axes[name] = {0: "batch", 1: "length"} if name == "states" else {0: "batch"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # the exporter warns of constants that do not vary here
        torch.onnx.export(
            Graph().eval(),
            (example_input, example_input, torch.zeros_like(example_input)),
            str(graph_path),
            input_names=list(GRAPH_INPUT_NAMES),
            output_names=list(output_names),
            dynamic_axes=free_axes,
            opset_version=ONNX_OPSET_VERSION,
            dynamo=False,
        )
