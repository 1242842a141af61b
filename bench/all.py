"""Run every benchmark one after the other; what they print is what docs/benchmarks.md quotes.

python -m bench.all            # about half an hour on two cores
python -m bench.all --million  # and the index and the query at 1,000,000
"""

import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"

SCRIPTS: tuple[tuple[str, ...], ...] = (
    ("bench/sentences.py",),
    ("bench/chunking.py",),
    ("bench/pdf_text.py",),
    ("bench/import_speed.py", "--memory"),
    ("bench/import_kills.py",),
    ("-m", "bench.sample_corpus"),
    ("-m", "fundstelle", "eval", str(DATA / "text" / "xquad.de.json")),
    ("bench/evidence.py",),
    ("bench/index_scaling.py",),
    ("bench/query_latency.py",),
)
GROWING = {"bench/index_scaling.py", "bench/query_latency.py"}


def main() -> int:
    """Run all; the exit code says how many failed."""
    model = next((line.split(": ")[1] for line in _cpu_lines() if "model name" in line), platform.processor())
    print(f"# {platform.platform()}, {model.strip()}, Python {platform.python_version()}")
    million = ["--million"] if "--million" in sys.argv else []
    failed = 0
    for script in SCRIPTS:
        command = [*script, *(million if script[0] in GROWING else [])]
        print(f"\n## python {' '.join(command)}", flush=True)
        begun = time.monotonic()
        failed += subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode != 0
        print(f"({time.monotonic() - begun:.0f} s)", flush=True)
    return failed


def _cpu_lines() -> list[str]:
    file = Path("/proc/cpuinfo")
    return file.read_text(encoding="ascii", errors="replace").splitlines() if file.exists() else []


if __name__ == "__main__":
    sys.exit(main())
