"""The speed of a check: how long does a debate take, and how much faster is that than plain use of the same libraries?

    python -m bench.speed --data DIR [--index FOLDER] [--json FILE]
    python -m bench.speed --profile [--json FILE]

Expected on two cores: the 1,245 sentences of Singapore against the 19,250 indexed claims in under 2 minutes and 3 GB;
on a slice, for equal numbers, BM25 40 times as fast as rank_bm25, BERTScore 10 times as fast as bert-score, body
cosines 10 times as fast as sentence-transformers, NLI 1.8 times as fast as transformers in float32. The index is built
first where it is not in FOLDER: statements and titles can be searched after 2 minutes, articles after 45.
``--profile`` instead measures the stages of a check of the sample debates, and draws its flame graph in docs/curves.
"""

from __future__ import annotations

import argparse
import functools
import resource
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from assistant.check.candidates import search, search_context
from assistant.check.loaded_models import encoders as encoders_of
from assistant.check.pair_features import compare, cross_encode
from assistant.check.pairs import Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Sentence, Source, Transcript, VerifiedClaim
from assistant.core.errors import LecternError
from assistant.core.settings import EMBEDDED
from assistant.pipeline import check
from bench.command import command, option, table
from bench.memory import watched
from bench.profiling import profile
from features.models.profile_models import Encoders
from features.models.weight_files import embedded_folder
from features.similarity import bertscore, cosines
from features.similarity.bm25 import tokenize
from features.similarity.catalogue import BODY_SENTENCES, COLUMN
from features.similarity.context_window import FINISHED, window_vectors
from training.shared.claims import politifact
from training.shared.debates import Debate, seven
from training.shared.opening import InMemory

INDEX = Path(platformdirs.user_cache_dir("lectern", False)) / "bench"
DEBATE = "20180612_Trump_Singapore"
SLICE = 24  # sentences that the plain libraries read
# Candidates of each of them: as many as the product reads, but for articles, each of which costs
# the plain library a second. BERTScore reads all candidates in the product, and NLI 15.
PAIRS = {"bm25": 0, "bertscore": 40, "body cosines": 2, "article vectors": 2, "nli": 15}


class Clock:
    """Seconds by the wall and by the processor, and the most private memory in MB, by stage."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = {}

    def __call__(self, stage: str, work: Callable[[], Any]) -> Any:
        """Return what ``work`` returns, and note how long it took."""
        with watched() as memory:
            wall = time.perf_counter()
            processor = time.process_time()
            result = work()
            figures = {
                "seconds": time.perf_counter() - wall,
                "processor": time.process_time() - processor,
            }
        figures["private_mb"] = max(memory)
        self.rows[stage] = {name: round(value, 3) for name, value in figures.items()}
        units = f"{figures['seconds']:9.2f} s   processor {figures['processor']:9.2f} s   {figures['private_mb']:7.0f} MB"
        print(f"  {stage:34} {units}", flush=True)
        return result


def build(
    claims: Sequence[VerifiedClaim], folder: Path, encoders: Encoders, clock: Clock
) -> ClaimIndex:
    """Return the index of some claims, built first if it is missing."""
    store = InMemory(claims)
    clock(
        "index: statements and titles",
        lambda: ClaimIndex.build(store, folder, encoders, articles=False),
    )
    clock("index: articles", lambda: ClaimIndex.build(store, folder, encoders, progress=_progress))
    index = clock("index: opened", lambda: ClaimIndex.open(folder, encoders))
    clock(
        "index: BM25 made", lambda: [index.bm25(field) for field in ("statement", "title", "body")]
    )
    return index


def one_more(
    claims: Sequence[VerifiedClaim], folder: Path, encoders: Encoders, clock: Clock
) -> None:
    """Add one claim to the index, search it, and take it away again."""
    new = VerifiedClaim(
        id="zz-new", statement="The moon is made of green cheese.", body="It is not. " * 30
    )
    extended = InMemory([*claims, new])
    same = InMemory(claims)
    text = "They say that the moon is green cheese!"

    def work() -> bool:
        index = ClaimIndex.build(extended, folder, encoders)
        pairs = search([text], encoders.sbert.encode([text]), index)
        return index.ids[pairs.claim_index[0]] == new.id

    if not clock("index: one more claim searchable", work):
        raise LecternError("the new claim was not found")
    ClaimIndex.build(same, folder, encoders)


def whole(event: Debate, index: ClaimIndex, clock: Clock) -> dict[str, int]:
    """Return the counts of the report of a whole debate, checked as the product does.

    NLI on the best 15.
    """
    source = Source(event.name, "bench", "")
    sentences = tuple(
        map(Sentence, range(1, len(event.texts) + 1), event.lines, event.texts, event.speakers)
    )
    transcript = Transcript(event.name, date.fromordinal(event.day), source, sentences)
    return clock("debate: from sentences to report", lambda: check(transcript, index)).counts()


def measured(
    texts: Sequence[str], index: ClaimIndex, encoders: Encoders, clock: Clock
) -> dict[str, int]:
    """Return how many pairs are measured for every sentence of a debate, dropped ones too.

    Time each stage.
    """
    windows = FINISHED.each(texts)
    vectors, states = clock("all sentences: encoded", lambda: encoders.read(texts))
    of_windows = window_vectors(windows, texts, vectors, list(map(len, states)))
    own = clock("all sentences: candidates", lambda: search(texts, vectors, index))
    further = clock(
        "all windows: candidates", lambda: search_context(own, windows, of_windows, index)
    )

    def measure() -> Pairs:
        compared = compare(own.joined(further), texts, index, encoders)
        return cross_encode(compared, texts, index, encoders)

    pairs = clock("all sentences: 19 measures", measure)
    read_by_nli = int((pairs.similarities[:, COLUMN["nli_neutral"]] > 0).sum())
    return {"pairs": len(pairs), "nli_pairs": read_by_nli}


def ratios(
    texts: Sequence[str], index: ClaimIndex, encoders: Encoders, clock: Clock
) -> dict[str, dict[str, float]]:
    """Return, family by family, how many times faster ours is on some sentences, and how far the numbers differ."""
    pairs = search(texts, encoders.sbert.encode(texts), index)
    claims_by_sentence = [pairs.claim_index[run] for run in pairs.slices()]
    longest = max(map(len, claims_by_sentence))
    rows_by_family = {}
    for name, plain_of in PLAIN.items():
        count = min(PAIRS[name], longest)
        full = [i for i, claims in enumerate(claims_by_sentence) if len(claims) >= count]
        sentences_read = [texts[i] for i in full]
        pairs_part = np.array([claims_by_sentence[i][:count] for i in full])
        plain = plain_of(sentences_read, index, encoders, pairs_part)
        product_values = functools.partial(_ours, name, sentences_read, index, encoders, pairs_part)
        product_values()  # loaded
        expected = clock(f"{name}: plain", plain)
        values = clock(f"{name}: ours", product_values)
        times = [clock.rows[f"{name}: {side}"] for side in ("plain", "ours")]
        rows_by_family[name] = {
            "times_faster": round(times[0]["seconds"] / max(times[1]["seconds"], 1e-3), 1),
            "times_less_processor": round(
                times[0]["processor"] / max(times[1]["processor"], 1e-3), 1
            ),
            "largest_difference": float(np.abs(expected - values).max()),
        }
    return rows_by_family


def _rank_bm25(texts: Sequence[str], index: ClaimIndex, *_: Any) -> Callable[[], np.ndarray]:
    from rank_bm25 import BM25Okapi

    oracle = BM25Okapi([tokenize(index.claim(i).body) for i in range(len(index))])
    return lambda: np.array([oracle.get_scores(tokenize(text)) for text in texts])


def _bert_score(
    texts: Sequence[str], index: ClaimIndex, _: Encoders, rows: np.ndarray
) -> Callable[[], np.ndarray]:
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(embedded_folder()), num_layers=6, device="cpu")
    pairs = [(texts[i], index.statements[claim]) for i, row in enumerate(rows) for claim in row]
    scorer.score(["loaded"], ["loaded"])
    return lambda: (
        scorer.score([s for s, _ in pairs], [c for _, c in pairs])[2].numpy().reshape(rows.shape)
    )


def _sentence_transformers(
    texts: Sequence[str], index: ClaimIndex, _: Encoders, rows: np.ndarray
) -> Callable[[], np.ndarray]:
    import torch
    from sentence_transformers import SentenceTransformer, util

    model = SentenceTransformer(str(embedded_folder()), device="cpu")
    model.encode(["loaded"])

    def work() -> np.ndarray:
        vectors = model.encode(list(texts), convert_to_tensor=True)
        articles = {}
        for claim in np.unique(rows):
            body = index.claim(claim).body
            sentences = [body[start:end] for start, end in index.body_spans(claim)]
            articles[claim] = model.encode(sentences, convert_to_tensor=True)
        best = []
        for i, row in enumerate(rows):
            best.append(
                [
                    torch.topk(util.cos_sim(vectors[i], articles[claim])[0], BODY_SENTENCES).values
                    for claim in row
                ]
            )
        return np.array([[values.numpy() for values in row] for row in best])

    return work


def _article_sentences(index: ClaimIndex, rows: np.ndarray) -> list[str]:
    articles = [(index.claim(claim).body, index.body_spans(claim)) for claim in np.unique(rows)]
    return [body[start:end] for body, spans in articles for start, end in spans]


def _sentence_transformers_encode(
    texts: Sequence[str], index: ClaimIndex, _: Encoders, rows: np.ndarray
) -> Callable[[], np.ndarray]:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(embedded_folder()), device="cpu")
    model.encode(["loaded"])
    sentences = _article_sentences(index, rows)
    return lambda: model.encode(sentences)


def _nli_pairs(texts: Sequence[str], index: ClaimIndex, rows: np.ndarray) -> list[tuple[str, str]]:
    return [(index.statements[claim], texts[i]) for i, row in enumerate(rows) for claim in row]


def _transformers(
    texts: Sequence[str], index: ClaimIndex, encoders: Encoders, rows: np.ndarray
) -> Callable[[], np.ndarray]:
    import torch
    from transformers import AutoTokenizer

    from features.models.onnx_minilm import classifier

    model = classifier(encoders.specs["nli"].weights, attention="sdpa")
    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    pairs = _nli_pairs(texts, index, rows)

    def work() -> np.ndarray:
        probabilities = []
        for start in range(0, len(pairs), 32):
            batch = pairs[start : start + 32]
            inputs = tokenizer(
                *map(list, zip(*batch, strict=True)), padding=True, truncation=True, max_length=128
            )
            with torch.inference_mode():
                logits = model(**inputs.convert_to_tensors("pt")).logits / encoders.nli.temperature
            probabilities.append(torch.softmax(logits, dim=1).numpy())
        return np.concatenate(probabilities)[:, encoders.nli.columns]

    return work


def _ours(
    name: str, texts: Sequence[str], index: ClaimIndex, encoders: Encoders, rows: np.ndarray
) -> np.ndarray:
    if name == "bm25":
        return index.bm25("body").scores(texts)
    sentence_index = np.repeat(np.arange(len(rows)), rows.shape[1])
    if name == "bertscore":
        return bertscore.pair_scores(
            encoders.bertscore.token_states(texts),
            index.statement_states,
            sentence_index,
            rows.ravel(),
        ).reshape(rows.shape)
    if name == "body cosines":
        return cosines.body_cosines(
            encoders.sbert.encode(texts), index.body_vectors, sentence_index, rows.ravel()
        ).reshape(*rows.shape, BODY_SENTENCES)
    if name == "article vectors":
        return encoders.sbert.bulk().encode(_article_sentences(index, rows))
    pairs = _nli_pairs(texts, index, rows)
    return encoders.nli.probabilities([p for p, _ in pairs], [s for _, s in pairs])


PLAIN = {
    "bm25": _rank_bm25,
    "bertscore": _bert_score,
    "body cosines": _sentence_transformers,
    "article vectors": _sentence_transformers_encode,
    "nli": _transformers,
}


def _progress(stage: str, done: int, total: int) -> None:
    if done % 1024 == 0:
        print(f"    {stage} {done} of {total}", flush=True)


def timed(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return how long each stage takes, how much memory, and the ratios to the plain libraries."""
    if options.profile:
        return profile()
    if options.data is None:
        raise argparse.ArgumentError(None, "--data or --profile is required")
    encoders = encoders_of(EMBEDDED)
    clock = Clock()
    claims = list(politifact(options.data))
    (event,) = [debate for debate in seven(options.data) if debate.name == DEBATE]
    index = build(claims, options.index, encoders, clock)
    sizes = {**whole(event, index, clock), **measured(event.texts, index, encoders, clock)}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        2**20 if sys.platform != "darwin" else 2**30
    )
    print(f"  {sizes}, at most {memory:.2f} GB")
    one_more(claims, options.index, encoders, clock)
    texts = [text for text in event.texts if len(text.split()) > 4][:SLICE]
    times = ratios(texts, index, encoders, clock)
    print(table({"measure": name, **figures} for name, figures in times.items()))
    return {"debate": sizes, "memory_gb": round(memory, 2), "stages": clock.rows, "ratios": times}


main = command(
    timed,
    option("--data", type=Path, metavar="DIR", help="the data folder"),
    option(
        "--profile",
        action="store_true",
        help="the stages of a check of the samples, and its flame graph",
    ),
    option(
        "--index", type=Path, default=INDEX, metavar="DIR", help="the claim index, built if missing"
    ),
)

if __name__ == "__main__":
    sys.exit(main())
