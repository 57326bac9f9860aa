"""`make bench`: measures against the peers, and writes docs/benchmarks.md with its charts.

Usage: python benchmarks/run.py [--rounds N] [notation] [codec] [broker] [zre] [capture] [pipeline]
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from report import DOCS, Section, write_page

SECTIONS: dict[str, Section] = {
    "notation": Section(
        "Reading grammars",
        "The same ABNF text, parsed by zwire (strict) and by the PyPI package `abnf`.",
    ),
    "codec": Section(
        "Codecs",
        "Decoding and encoding of the same messages. Decoding means: from frames to a value whose "
        "fields were read; encoding means: from field values to frames, making the message "
        "included.",
    ),
    "broker": Section(
        "Broker",
        "Requests through a broker on loopback TCP, 64-octet bodies, load from separate processes "
        "written in C where a compiler is there.",
    ),
    "zre": Section(
        "Nodes",
        "zwire's nodes and PyPI's zeromq-pyre, each node in a process of its own on this host; messages "
        "of 100 octets. Times a message are from the first that is sent until the last is answered for. "
        "A peer is found when a node that was just made tells that it entered.",
    ),
    "capture": Section(
        "Recording",
        "One message into a .zcap file, whole and with its body cut; processor time. Then requests "
        "through a broker that records, and what that adds to its processor time for each message.",
    ),
    "pipeline": Section(
        "Pipeline",
        "Captures of a million and of five million messages through Spark on this machine: processor "
        "time of the Java process and of all Python workers together. The peers decode the same "
        "messages in Spark's Python workers, row by row, with the generated codecs: as a function of "
        "one row (a udf), and over whole Arrow batches. Each is run once before it counts; planning a "
        "query takes about a third of a second, which shows in the smaller capture.",
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *SECTIONS], help="which; default: all")
    parser.add_argument("--rounds", type=int, default=15, help="interleaved rounds; medians count")
    options = parser.parse_args()
    names = options.names or [name for name in SECTIONS if _there(name)]
    for name in names:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures = import_module(name).measure(options.rounds)
        write_page(name, SECTIONS, figures)
    print(DOCS / "benchmarks.md")
    return 0


def _there(name: str) -> bool:
    return (Path(__file__).parent / f"{name}.py").exists()


if __name__ == "__main__":
    sys.exit(main())
