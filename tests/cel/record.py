"""What Kubernetes' own compiler says of the rules in `recorded/cases.json`, asked once and kept beside them.

`python -m tests.cel.record` asks again (it needs Go): when a case was added, or the version of Kubernetes changes.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

__all__ = ["CASES", "questions"]

CASES = Path(__file__).parent / "recorded" / "cases.json"
_REAL = Path(__file__).parents[2] / "real"


def questions() -> list[dict[str, Any]]:
    """The recorded cases, each with its schema and its answer."""
    recorded = json.loads(CASES.read_text())
    return [
        {"root": True, "optional": False, **case, "schema": recorded["schemas"][case["schema"]]}
        for case in recorded["cases"]
    ]


def main() -> None:
    asked = "".join(json.dumps(question) + "\n" for question in questions())
    told = subprocess.run(["go", "run", "./cel"], cwd=_REAL, input=asked, capture_output=True, text=True, check=True)
    recorded = json.loads(CASES.read_text())
    for case, line in zip(recorded["cases"], told.stdout.splitlines(), strict=True):
        # The name of the type of `self` ends in digits that differ from run to run.
        case["answer"] = json.loads(re.sub(r"selfType\d+", "selfType", line))
    CASES.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
