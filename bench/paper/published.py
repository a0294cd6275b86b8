"""The numbers of the paper's tables, beside which ours are printed; by the names of our rows.

Source: Shaar et al., Assisting the Human Fact-Checkers: Detecting All Previously Fact-Checked Claims in a Document,
arXiv 2109.07410, Tables 2 to 6. Its body cosines do not say which of the four: they stand beside the best.
"""

from __future__ import annotations

COLUMNS = ("MAP", "MAP_0_1", "MAP_0_3", "MAP_05_1", "MAP_05_3", "MAP_H_1", "MAP_H_3")
TABLE_2 = {
    "20170803_Trump_WV": (291, 34, 62, 20, 32),
    "20170822_Trump_phoenix": (792, 50, 116, 23, 40),
    "20180426_Trump_Fox_Friends": (597, 28, 52, 17, 32),
    "20180525_Trump_Naval": (279, 14, 19, 4, 5),
    "20180612_Trump_Singapore": (1245, 29, 45, 15, 15),
    "20180615_Trump_lawn": (814, 24, 36, 11, 17),
    "20180628_Trump_NorthDakota": (1036, 49, 82, 35, 57),
    "total": (5054, 228, 412, 125, 198),
}
TABLE_4 = {
    "Pants on Fire": (24, 191),
    "False": (76, 382),
    "Mostly False": (44, 312),
    "Half True": (2, 260),
    "Mostly True": (42, 227),
    "True": (11, 85),
}
TABLE_3 = {
    "bertscore": 0.638,
    "nli_entailment": 0.574,
    "nli_neutral": 0.112,
    "nli_contradiction": 0.025,
    "nli_entailment+contradiction": 0.553,
    "simcse_title": 0.220,
    "simcse_statement": 0.451,
    "simcse_body_1": 0.576,
    "sbert_title": 0.165,
    "sbert_statement": 0.531,
    "sbert_body_1": 0.649,
    "bm25_statement": 0.316,
    "bm25_body": 0.892,
    "bm25_title": 0.145,
}
_SINGLE = """
bertscore                    .076 .046 .050 .061 .063 .034 .038
nli_entailment               .035 .025 .029 .030 .032 .017 .023
nli_neutral                  .036 .001 .003 .019 .020 .000 .001
nli_contradiction            .051 .001 .001 .026 .026 .000 .000
nli_entailment+contradiction .041 .005 .007 .023 .024 .002 .003
simcse_statement             .287 .249 .259 .268 .273 .208 .223
simcse_title                 .242 .144 .213 .193 .227 .093 .172
simcse_body_1                .068 .041 .048 .055 .058 .025 .034
sbert_statement              .303 .245 .284 .274 .294 .203 .251
sbert_title                  .117 .044 .082 .080 .099 .019 .060
sbert_body_1                 .033 .016 .021 .025 .027 .008 .012
bm25_statement               .146 .107 .122 .127 .134 .086 .100
bm25_title                   .084 .047 .049 .066 .067 .031 .034
bm25_body                    .155 .130 .144 .143 .150 .107 .132
"""
_RANKSVM = """
ranksvm-retrieved 1  .382 .357 .373 .369 .378 .310 .352
ranksvm-retrieved 3  .345 .318 .336 .332 .341 .278 .319
ranksvm-retrieved 5  .362 .335 .353 .349 .357 .292 .335
ranksvm-retrieved 10 .404 .364 .391 .384 .398 .313 .368
ranksvm-retrieved 20 .400 .346 .377 .373 .388 .291 .352
ranksvm-retrieved 30 .357 .310 .339 .333 .348 .260 .318
ranksvm-max 1        .411 .299 .390 .355 .401 .253 .364
ranksvm-max 3        .449 .328 .429 .389 .439 .273 .400
ranksvm-max 5        .482 .349 .464 .416 .473 .291 .436
ranksvm-max 10       .491 .394 .473 .443 .482 .320 .445
ranksvm-max 20       .488 .381 .470 .434 .479 .310 .439
ranksvm-max 30       .486 .377 .468 .432 .477 .304 .435
ranksvm-max-skip 1   .467 .353 .442 .410 .455 .287 .417
ranksvm-max-skip 3   .507 .370 .485 .438 .496 .306 .454
ranksvm-max-skip 5   .522 .379 .501 .451 .512 .316 .468
ranksvm-max-skip 10  .515 .401 .494 .458 .505 .323 .465
ranksvm-max-skip 20  .504 .350 .481 .427 .493 .293 .447
ranksvm-max-skip 30  .493 .376 .468 .435 .481 .301 .433
"""
_ABLATIONS = """
all               .522 .379 .501 .451 .512 .316 .468
without bertscore .499 .376 .480 .437 .489 .313 .450
without nli       .475 .330 .451 .402 .463 .279 .423
without simcse    .511 .353 .486 .432 .499 .295 .454
without sbert     .498 .381 .481 .440 .490 .308 .452
without bm25      .497 .343 .473 .420 .485 .287 .441
without title     .522 .369 .501 .445 .511 .308 .468
without statement .311 .242 .293 .276 .302 .198 .268
without body      .444 .295 .427 .370 .435 .249 .398
"""


def _rows(text: str) -> dict[str, dict[str, float]]:
    found = {}
    for line in text.strip().splitlines():
        *name, values = line.split(maxsplit=len(line.split()) - len(COLUMNS))
        found[" ".join(name)] = dict(zip(COLUMNS, map(float, values.split()), strict=True))
    return found


SINGLE, RANKSVM, ABLATIONS = map(_rows, (_SINGLE, _RANKSVM, _ABLATIONS))


def beside(system: str) -> dict[str, float] | None:
    """Return the paper's columns of a row of Table 5 or 6, None where it has none.

    A row of RankSVM is named method/reading/kernel/N=5, one of Table 6 ends in reading/kernel; the paper tells
    neither.
    """
    method, *variant = system.split("/")
    depth = variant[-1].removeprefix("N=") if variant and variant[-1].startswith("N=") else ""
    return SINGLE.get(system) or RANKSVM.get(f"{method} {depth}") or ABLATIONS.get(method)
