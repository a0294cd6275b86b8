"""Selection of the sentences that a check searches for, and encoding of their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from assistant.check import checkworthiness
from assistant.check.loaded_models import Models
from assistant.check.pair_features import ContextStates, Encoded
from assistant.check.pairs import Floats, Ints
from assistant.check.ranker_inputs import SpokenSentences
from assistant.core.domain import Passage, Transcript
from assistant.passages.splitting import passages
from features.models.profile_models import Encoders
from features.similarity.context_window import FINISHED, LIVE, Texts, window_vectors


@dataclass(frozen=True, slots=True, eq=False)
class SelectedSentences:
    """The n sentences of a transcript that are searched for, and the models' encodings of them.

    ``passages`` cover the whole transcript. ``positions`` (n,): where the sentences stand in it.
    ``encoded``: their SBERT vectors (n, d) and BERTScore's token states. ``windows``: each
    sentence with its context, with ``window_vectors`` (n, d); ``context``: token states of both.
    """

    passages: tuple[Passage, ...]
    positions: Ints
    spoken: SpokenSentences
    encoded: Encoded
    windows: Sequence[Texts]
    window_vectors: Floats
    context: ContextStates

    @property
    def vectors(self) -> Floats:
        """Return the SBERT vectors of the sentences, (n, d)."""
        vectors, _ = self.encoded
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class _EncodedTexts:
    """Different texts with their SBERT vectors (m, d) and token states, each encoded once.

    ``index_of``: the position of each text.
    """

    texts: Sequence[str]
    vectors: Floats
    states: Sequence[Floats]
    index_of: dict[str, int]

    @classmethod
    def of(cls, texts: Sequence[str], encoders: Encoders) -> _EncodedTexts:
        """Encode some texts, each different one once."""
        different = list(dict.fromkeys(texts))
        vectors, states = encoders.read(different)
        index_of = {text: index for index, text in enumerate(different)}
        return cls(different, vectors, states, index_of)

    def vectors_of(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of some of the texts, (n, d)."""
        return self.vectors[[self.index_of[text] for text in texts]]

    def states_of(self, texts: Sequence[str]) -> list[Floats]:
        """Return the token states of some of the texts."""
        return [self.states[self.index_of[text]] for text in texts]

    def vectors_of_windows(self, windows: Sequence[Texts]) -> Floats:
        """Return the vectors of windows made of these texts, (n, d)."""
        lengths = [len(states) for states in self.states]
        return window_vectors(windows, self.texts, self.vectors, lengths)


def select_from_transcript(
    transcript: Transcript, worthiness: Floats, models: Models
) -> SelectedSentences:
    """Return the check-worthy sentences of a whole transcript.

    ``worthiness`` (s,): the check-worthiness of each of its sentences.
    """
    # The window of a sentence is the sentence with its neighbours, also those after it.
    sentence_texts = [sentence.text for sentence in transcript]
    windows = FINISHED.each(sentence_texts)
    encoded_texts = _EncodedTexts.of(sentence_texts, models.encoders)
    all_passages = passages(
        transcript.sentences, encoded_texts.vectors_of(sentence_texts), worthiness
    )
    checkworthy_positions = checkworthiness.checkworthy_positions(
        transcript, worthiness, all_passages, models.worthiness_threshold
    )
    # A window of live sentences ends with the sentence itself.
    texts_before = [LIVE.of(sentence_texts, position)[:-1] for position in checkworthy_positions]
    spoken_sentences = SpokenSentences.of(
        transcript, worthiness, checkworthy_positions, texts_before
    )
    chosen_windows = [windows[position] for position in checkworthy_positions]
    return _build_selection(
        all_passages, checkworthy_positions, spoken_sentences, chosen_windows, encoded_texts
    )


def select_all_live(
    transcript: Transcript, worthiness: Floats, windows: Sequence[Texts], models: Models
) -> SelectedSentences:
    """Return all sentences of a transcript from a live event, which were selected before.

    They need not be adjacent, so each is a passage. ``windows``: each sentence with its context.
    """
    # A window is a sentence with the sentences before it; the sentence itself is its last text.
    sentence_texts = [sentence.text for sentence in transcript]
    window_texts = chain.from_iterable(windows)
    encoded_texts = _EncodedTexts.of([*sentence_texts, *window_texts], models.encoders)
    single_passages = []
    for passage_number, sentence in enumerate(transcript, 1):
        single_passages.append(Passage(passage_number, (sentence.number,)))
    all_positions = np.arange(len(transcript))
    texts_before = [window[:-1] for window in windows]
    spoken_sentences = SpokenSentences.of(transcript, worthiness, all_positions, texts_before)
    return _build_selection(
        tuple(single_passages), all_positions, spoken_sentences, windows, encoded_texts
    )


def _build_selection(
    all_passages: tuple[Passage, ...],
    positions: Ints,
    spoken_sentences: SpokenSentences,
    windows: Sequence[Texts],
    encoded_texts: _EncodedTexts,
) -> SelectedSentences:
    """Return the selected sentences with their vectors, token states and context."""
    token_states = encoded_texts.states_of(spoken_sentences.texts)
    neighbour_states = []
    for window, text in zip(windows, spoken_sentences.texts, strict=True):
        neighbours = [window_text for window_text in window if window_text != text]
        neighbour_states.append(encoded_texts.states_of(neighbours))
    return SelectedSentences(
        passages=all_passages,
        positions=positions,
        spoken=spoken_sentences,
        encoded=(encoded_texts.vectors_of(spoken_sentences.texts), token_states),
        windows=windows,
        window_vectors=encoded_texts.vectors_of_windows(windows),
        context=ContextStates(token_states, neighbour_states),
    )
