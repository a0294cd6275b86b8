"""Lists all packages and weights with versions, hashes and licences, in the form of CycloneDX 1.6.

``python deploy/sbom.py FILE`` writes the list as JSON, ``--licences FILE`` a page with the licence
of every package. Packages and hashes come from the lock files, licences from what is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK_FILES = (
    "requirements.lock",
    "requirements-archive.lock",
    "requirements-desktop.lock",
    "deploy/torch.lock",
    "deploy/torch-cpu.lock",
    "deploy/oracles.lock",
    "deploy/large.lock",
    "deploy/uv.lock",
)
WEIGHT_SUFFIXES = (".safetensors", ".npz", ".json", ".bin")
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
LICENCE_CLASSIFIER = "License :: OSI Approved :: "
MAX_LICENCE_CHARACTERS = 80
NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")  # RFC 4122: names that are URLs


@dataclass(frozen=True)
class Package:
    """A locked version of a package, with the hashes of its files."""

    name: str
    version: str
    hashes: tuple[str, ...]


def locked_packages() -> list[Package]:
    """Return every package of the lock files, by name and version."""
    hashes: dict[tuple[str, str], list[str]] = {}
    for file in LOCK_FILES:
        locked = ("", "")
        for line in (ROOT / file).read_text("utf-8").splitlines():
            pinned = PINNED.match(line)
            if pinned:
                locked = (pinned["name"].lower(), pinned["version"])
                hashes.setdefault(locked, [])
            hashes.get(locked, []).extend(HASH.findall(line))
    packages = []
    for (name, version), found in sorted(hashes.items()):
        packages.append(Package(name, version, tuple(dict.fromkeys(found))))
    return packages


def licence(name: str) -> str:
    """Return the licence that an installed package states, "" if it isn't installed or silent."""
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return ""
    expression = stated.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = stated.get_all("Classifier") or []
    names = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License ::")]
    if names:
        return ", ".join(names)
    lines = (stated.get("License") or "").strip().splitlines()
    return lines[0][:MAX_LICENCE_CHARACTERS] if lines else ""


def bill_of_materials() -> dict[str, Any]:
    """Return the list of packages and weights as CycloneDX has it; the same input, the same list."""
    components = [_package_component(package) for package in locked_packages()]
    components += [_weight_component(path) for path in _weight_files()]
    identity = hashlib.sha256(json.dumps(components, sort_keys=True).encode()).hexdigest()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, identity)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "lectern", "bom-ref": "lectern"}},
        "components": components,
    }


def licence_page() -> str:
    """Return a page with the licence of every package."""
    head = (
        "# Licences\n\n*Reference for administrators, generated from the installed packages.*\n\n"
    )
    head += "The packages that Lectern installs, and the licence that each states. "
    head += "`make sbom` lists them with the hashes of their files.\n\n"
    head += "| package | version | licence |\n|---|---|---|\n"
    lines = []
    for package in locked_packages():
        stated = licence(package.name) or "not installed here: see its page"
        lines.append(f"| {package.name} | {package.version} | {stated.replace('|', '/')} |")
    return head + "\n".join(lines) + "\n"


def _package_component(package: Package) -> dict[str, Any]:
    address = f"pkg:pypi/{package.name}@{package.version}"
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": address,
        "name": package.name,
        "version": package.version,
        "purl": address,
    }
    # A package has one hash per file and platform. CycloneDX has them with the distributions.
    component["externalReferences"] = [
        {
            "type": "distribution",
            "url": f"https://pypi.org/project/{package.name}/{package.version}/",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.hashes],
        }
    ]
    stated = licence(package.name)
    if stated:
        component["licenses"] = [{"license": {"name": stated}}]
    return component


def _weight_files() -> list[Path]:
    files = (ROOT / "models").rglob("*")
    return sorted(path for path in files if path.suffix in WEIGHT_SUFFIXES)


def _weight_component(path: Path) -> dict[str, Any]:
    name = path.relative_to(ROOT).as_posix()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "type": "machine-learning-model",
        "bom-ref": name,
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def main() -> None:
    """Write the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="file for the list")
    parser.add_argument("--licences", type=Path, metavar="FILE", help="file for the page")
    options = parser.parse_args()
    if options.file:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(bill_of_materials(), indent=1, ensure_ascii=False)
        options.file.write_text(text + "\n", "utf-8")
    if options.licences:
        options.licences.write_text(licence_page(), "utf-8")


if __name__ == "__main__":
    main()
