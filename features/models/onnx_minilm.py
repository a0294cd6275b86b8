"""The embedded MiniLM in onnxruntime: exact float32, about twice torch's speed on a CPU.

A graph is exported once and cached under the digest of its weights, in the form in which the
processor computes with it: optimised, its weights packed in a file of their own, which all
processes of a machine map and share.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from features.models.atomic_write import sync, temporary_path_beside
from features.models.batching import padded, readable, threads
from features.models.cache_folder import cache_folder
from features.models.model_spec import Floats, Tokens
from features.models.torch_models import quiet
from features.models.weight_files import embedded_folder, file_digest, read_card, weights_path

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
        # The cached_graph graph is optimised already.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(
            str(self._graph), options, providers=["CPUExecutionProvider"]
        )


@lru_cache(maxsize=4)
def embedded_runner(max_length: int) -> OnnxRunner:
    """Return the packaged MiniLM: states (b, t, d)."""
    folder = embedded_folder()
    digest = file_digest(folder / "model.safetensors")
    graph = cached_graph(digest[:16], lambda path: export(_encoder(folder), path, ("states",)))
    return OnnxRunner(graph, folder / "tokenizer.json", max_length, digest)


def embedded_graph() -> Path:
    """Return the packaged MiniLM as a graph that other runtimes read too.

    No operators of onnxruntime's own.
    """
    folder = embedded_folder()
    key = file_digest(folder / "model.safetensors")[:16] + "-plain"
    return cached_graph(key, lambda path: _export(_encoder(folder), path, ("states",)))


@lru_cache(maxsize=4)
def cross_encoder_runner(weights_file: str, max_length: int) -> OnnxRunner:
    """Return the packaged MiniLM with the layers and heads of a weights file.

    Logits (b, c), then each other head (b,).

    Raises: ModelUnavailable if the weights are missing.
    """
    folder = embedded_folder()
    joined_digests = file_digest(folder / "model.safetensors") + file_digest(
        weights_path(weights_file)
    )
    model_digest = hashlib.sha256(joined_digests.encode()).hexdigest()
    output_names = ("logits", *names_of_other_heads(weights_file))
    # The pooling is a part of the graph, but only the card names it.
    pooling = read_card(weights_file).get("pooling", "pooler")

    def export_to(path: Path) -> None:
        export(classifier(weights_file, attention="eager"), path, output_names)

    graph_key = "-".join((model_digest[:16], pooling, *output_names))
    graph_path = cached_graph(graph_key, export_to)
    return OnnxRunner(graph_path, folder / "tokenizer.json", max_length, model_digest)


def names_of_other_heads(weights: str) -> tuple[str, ...]:
    """Return the names of the heads that a weights file has beside its classifier.

    ``same`` or nothing.
    """
    from safetensors import safe_open

    with safe_open(weights_path(weights), framework="np") as tensors:
        return ("same",) if "same.weight" in tensors.keys() else ()  # noqa: SIM118


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
    """Write a torch model as a graph, optimised, and its weights beside it as this processor multiplies by them.

    The same numbers come out, but a session has no weights of its own. ``output_names``: states, or
    logits and same.
    """
    import onnxruntime

    unoptimised_path = graph_path.with_name("exported.onnx")
    _export(model, unoptimised_path, output_names)
    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = 1
    session_options.optimized_model_filepath = str(graph_path)
    session_options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    )
    for option, value in PACKING_OPTIONS.items():
        session_options.add_session_config_entry(option, value)
    onnxruntime.InferenceSession(
        str(unoptimised_path), session_options, providers=["CPUExecutionProvider"]
    )
    unoptimised_path.unlink()


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


def _export(model: Any, graph_path: Path, outputs: tuple[str, ...]) -> None:
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
            return tuple(self.model(**inputs, return_dict=False)[: len(outputs)])

    example_input = torch.ones((2, 8), dtype=torch.int64)
    # The names of the free axes: all inputs and the states are (batch, length, ...).
    free_axes = {name: {0: "batch", 1: "length"} for name in GRAPH_INPUT_NAMES}
    for name in outputs:
        free_axes[name] = {0: "batch", 1: "length"} if name == "states" else {0: "batch"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # the exporter warns of constants that do not vary here
        torch.onnx.export(
            Graph().eval(),
            (example_input, example_input, torch.zeros_like(example_input)),
            str(graph_path),
            input_names=list(GRAPH_INPUT_NAMES),
            output_names=list(outputs),
            dynamic_axes=free_axes,
            opset_version=ONNX_OPSET_VERSION,
            dynamo=False,
        )


def _encoder(folder: Path, attention: str = "eager") -> Any:
    from transformers import BertModel

    with quiet():
        return BertModel.from_pretrained(
            folder, attn_implementation=attention, add_pooling_layer=False
        )


def classifier(weights_file: str, *, attention: str) -> Any:
    """Return the classifier in torch: embeddings of the package, the rest from the weights file.

    Logits first.

    Its card chooses the form: ``pooling: mean`` is linear heads on the mean of the last states,
    with tensors named as in ``BertModel``; anything else is ``BertForSequenceClassification``.
    """
    import torch
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForSequenceClassification

    folder = embedded_folder()
    card = read_card(weights_file)
    labels = card.get("labels", ["entailment", "neutral", "contradiction"])
    trained_tensors = {
        name: tensor.to(torch.float32)
        for name, tensor in load_file(weights_path(weights_file)).items()
    }
    if card.get("pooling") == "mean":
        return _mean_classifier(_encoder(folder, attention), trained_tensors, len(labels))
    config = BertConfig.from_pretrained(
        folder, num_labels=len(labels), attn_implementation=attention
    )
    model = BertForSequenceClassification(config)
    # The packaged tensors that the model has, with the trained ones in their place.
    names_in_model = model.state_dict().keys()
    packaged_tensors = {}
    for name, tensor in load_file(folder / "model.safetensors").items():
        if f"bert.{name}" in names_in_model:
            packaged_tensors[f"bert.{name}"] = tensor
    model.load_state_dict(packaged_tensors | trained_tensors)
    return model.eval()


def _mean_classifier(trunk: Any, trained: dict[str, Any], labels: int) -> Any:
    """Return the trunk with linear heads on the mean of its last states.

    Logits (b, c) and, if trained, same (b,).
    """
    import torch
    from transformers.modeling_outputs import SequenceClassifierOutput

    class MeanClassifier(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.trunk = trunk
            self.classifier = torch.nn.Linear(trunk.config.hidden_size, labels)
            self.same = (
                torch.nn.Linear(trunk.config.hidden_size, 1) if "same.weight" in trained else None
            )

        def forward(
            self, input_ids: Any, attention_mask: Any, token_type_ids: Any, return_dict: bool = True
        ) -> Any:
            inputs = dict(
                zip(GRAPH_INPUT_NAMES, (input_ids, attention_mask, token_type_ids), strict=True)
            )
            states = self.trunk(**inputs, return_dict=False)[0]
            # The mean of the states without padding: (b, t, d), (b, t, 1) -> (b, d).
            mask = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * mask).sum(1) / mask.sum(1)
            logits = self.classifier(mean)
            if return_dict:
                return SequenceClassifierOutput(logits=logits)
            return (logits,) if self.same is None else (logits, self.same(mean).squeeze(-1))

    model = MeanClassifier()
    tensors = model.state_dict()
    for name, tensor in trained.items():
        is_head = name.startswith(("classifier.", "same."))
        tensors[name if is_head else f"trunk.{name}"] = tensor
    model.load_state_dict(tensors)
    return model.eval()
