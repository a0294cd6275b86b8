"""Transformers models in torch: any local folder or hub id, on a GPU where there is one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from features.models.batching import padded, readable
from features.models.model_spec import Floats, ModelSpec, ModelUnavailable, Tokens

GPU_BATCH_TOKENS = 16_384  # sixty-four texts of 256 tokens keep a GPU busy


class TorchRunner:
    """A transformers model and its tokenizer. Implements ``features.models.model_spec.Runner``."""

    def __init__(self, model: Any, tokenizer: Any, spec: ModelSpec) -> None:
        import torch

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        # torch has its own threads
        self.digest = _state_digest(model, tokenizer)
        self.max_batch_cells = GPU_BATCH_TOKENS
        self.parallel_batches = 1
        self._model = model.to(self._device, torch.float32).eval()
        self._tokenizer = tokenizer
        self._spec = spec

    def tokens(self, texts: Sequence[str], pairs: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts."""
        max_tokens = min(self._spec.max_length, self._tokenizer.model_max_length)
        second_texts = None
        if pairs is not None:
            second_texts = readable(pairs, max_tokens)
        encoded = self._tokenizer(
            readable(texts, max_tokens),
            second_texts,
            truncation=True,
            max_length=max_tokens,
            return_token_type_ids=True,
            return_attention_mask=False,
        )
        return list(zip(encoded["input_ids"], encoded["token_type_ids"], strict=True))

    def run(self, batch: Sequence[Tokens]) -> tuple[Floats, ...]:
        """Return the logits (b, c) of a classifier, or the states of an encoder.

        An encoder gives the last states (b, t, d), the pooler's output (b, d) if it is used, and
        the states of ``layer``.
        """
        import torch

        token_ids, token_mask, token_types = padded(batch, self._tokenizer.pad_token_id or 0)
        input_arrays = {"input_ids": token_ids, "attention_mask": token_mask}
        if "token_type_ids" in self._tokenizer.model_input_names:
            input_arrays["token_type_ids"] = token_types
        tensors = {
            name: torch.from_numpy(array).to(self._device) for name, array in input_arrays.items()
        }
        # The states of an inner layer are needed only if the specification names one.
        needs_inner_layer = self._spec.layer is not None
        with torch.inference_mode():
            output = self._model(**tensors, output_hidden_states=needs_inner_layer)
        if "logits" in output:
            return (_numpy(output.logits),)
        state_outputs = [output.last_hidden_state]
        if self._spec.pooling == "pooler":
            state_outputs.append(output.pooler_output)
        if self._spec.layer is not None:
            state_outputs.append(output.hidden_states[self._spec.layer])
        elif len(state_outputs) > 1:
            # The caller takes the token states from the end.
            state_outputs.append(output.last_hidden_state)
        return tuple(_numpy(state) for state in state_outputs)


def encoder_runner(location: str, spec: ModelSpec) -> TorchRunner:
    """Return the encoder at a folder or hub id.

    Raises: ModelUnavailable if it cannot be loaded.
    """
    from transformers import AutoModel

    model, tokenizer = _pretrained(AutoModel, location)
    return TorchRunner(model, tokenizer, spec)


def classifier_runner(location: str, spec: ModelSpec) -> TorchRunner:
    """Return the sequence classifier at a folder or hub id.

    Raises: ModelUnavailable if it cannot be loaded.
    """
    from transformers import AutoModelForSequenceClassification

    model, tokenizer = _pretrained(AutoModelForSequenceClassification, location)
    return TorchRunner(model, tokenizer, spec)


def labels(runner: TorchRunner) -> list[str]:
    """Return the names of a classifier's outputs, lower case, in their order."""
    names = runner._model.config.id2label
    return [str(names[i]).lower() for i in range(len(names))]


def _pretrained(kind: Any, location: str) -> tuple[Any, Any]:
    from transformers import AutoTokenizer

    try:
        with quiet():
            return kind.from_pretrained(location), AutoTokenizer.from_pretrained(location)
    except (OSError, ValueError) as error:
        message_lines = str(error).strip().splitlines()
        reason = message_lines[0] if message_lines else type(error).__name__
        raise ModelUnavailable(
            f"The model {location} cannot be loaded ({reason}). "
            "Use a local folder, or download the model while you are online."
        ) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from writing progress bars and load reports to the terminal."""
    from transformers.utils import logging

    earlier_verbosity = logging.get_verbosity()
    showed_progress_bar = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(earlier_verbosity)
        if showed_progress_bar:
            logging.enable_progress_bar()


def _state_digest(model: Any, tokenizer: Any) -> str:
    """Return a digest of a tokenizer's vocabulary and of a model's tensors."""
    # The pairs of token and id, in the order of the ids
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda token_and_id: token_and_id[1])
    digest = hashlib.sha256(repr(vocabulary).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        # The same bytes, whatever the type and the device of the tensor
        float_values = tensor.float().cpu().contiguous().numpy()
        digest.update(float_values.tobytes())
    return digest.hexdigest()


def _numpy(tensor: Any) -> Floats:
    return tensor.float().cpu().numpy().astype(np.float32, copy=False)
