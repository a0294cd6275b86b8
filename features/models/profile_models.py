"""The four models of a profile, each loaded when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from features.models.encoders import Encoder, HeadEncoder, TextEncoder
from features.models.encoders import load_encoder as load
from features.models.model_spec import EMBEDDED, EMBEDDED_LAYERS, Floats, ModelSpec
from features.models.nli import CrossEncoder, load_nli
from features.similarity.bertscore import read_baseline

SHOWN_DIGEST_DIGITS = 12


class Encoders:
    """What turns texts into vectors, token states and probabilities.

    ``sbert`` and ``bertscore`` share one loaded model where their specs allow it; ``simcse`` is a head on ``sbert``
    where its spec names weights on the same model (``simcse_is_head``), and then costs no pass of its own.
    """

    def __init__(
        self, *, sbert: ModelSpec, simcse: ModelSpec, nli: ModelSpec, bertscore: ModelSpec
    ) -> None:
        self.specs = {"sbert": sbert, "simcse": simcse, "nli": nli, "bertscore": bertscore}
        self.simcse_is_head = (
            bool(simcse.weights) and simcse.name == sbert.name and simcse.pooling == sbert.pooling
        )

    @cached_property
    def sbert(self) -> TextEncoder:
        """Return the SBERT encoder."""
        return _text_encoder(load(self.specs["sbert"]))

    @cached_property
    def bertscore(self) -> TextEncoder:
        """Return the encoder whose token states BERTScore compares."""
        return _text_encoder(load(self.specs["bertscore"]))

    @cached_property
    def simcse(self) -> Encoder:
        """Return the SimCSE encoder."""
        return load(self.specs["simcse"])

    @cached_property
    def nli(self) -> CrossEncoder:
        """Return the cross-encoder."""
        return load_nli(self.specs["nli"])

    @cached_property
    def baseline(self) -> float:
        """Return the BERTScore of random sentences that is subtracted, 0 where the profile does not rescale."""
        spec = self.specs["bertscore"]
        return read_baseline(spec.name, spec.layer or EMBEDDED_LAYERS) if spec.rescale else 0.0

    def read(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """Return the SBERT vectors (n, d) and BERTScore's token states of some texts, from one pass where possible."""
        if self.bertscore.runner is self.sbert.runner:
            return self.sbert.encode_with_states(texts)
        return self.sbert.encode(texts), self.bertscore.token_states(texts)

    def simcse_vectors(self, texts: Sequence[str], vectors: Floats) -> Floats:
        """Return the SimCSE vectors of texts whose SBERT vectors are known, (n, d)."""
        return self.lift(vectors) if self.simcse_is_head else self.simcse.encode(texts)

    def lift(self, vectors: Floats) -> Floats:
        """Return SimCSE vectors from SBERT vectors, where SimCSE is a head on SBERT."""
        if not isinstance(self.simcse, HeadEncoder):
            raise TypeError(
                f"the weights of {self.simcse.name} don't fit the model {self.sbert.name}"
            )
        return self.simcse.lift(vectors)

    def names_and_digests(self) -> dict[str, str]:
        """Return for each part the name of its model and the first digits of its digest.

        Loads all four.
        """
        model_by_part = {
            "sbert": self.sbert,
            "simcse": self.simcse,
            "nli": self.nli,
            "bertscore": self.bertscore,
        }
        names_and_digests = {}
        for part, model in model_by_part.items():
            digest_beginning = model.digest[:SHOWN_DIGEST_DIGITS]
            names_and_digests[part] = f"{model.name} {digest_beginning}"
        return names_and_digests


def _text_encoder(encoder: Encoder) -> TextEncoder:
    if isinstance(encoder, TextEncoder):
        return encoder
    raise TypeError(
        f"{encoder.name} has an added output layer, so SBERT and BERTScore cannot use it. "
        f"Use {EMBEDDED}, a local folder, or the name of a model on Hugging Face"
    )
