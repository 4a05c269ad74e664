"""`kopf run` as its users have it: `pip install kopf` brings neither uvloop nor the official client.

    python bare_kopf.py [--uvloop] run …

Both are installed here, and kopf would make use of them. `--uvloop` leaves it that one.
"""

import sys

__all__: list[str] = []

if __name__ == "__main__":
    absent = ["kubernetes", "pykube", "uvloop"]
    if sys.argv[1] == "--uvloop":
        del sys.argv[1]
        absent.remove("uvloop")
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # to import it fails, as where it is not installed

    from kopf.cli import main  # which looks at once for what there is

    main()
