"""How hypothesis searches: the same few examples every day, many and new ones in the deep run."""

import os

from hypothesis import settings

# The everyday run must give the same verdict on the same code: no clock (deadline), no memory of earlier runs
# (database), no chance (derandomize).
settings.register_profile("everyday", deadline=None, database=None, derandomize=True, max_examples=50)
# The deep run looks where nobody has looked; but whether a change is taken must not depend on the day, nor take long.
_JUDGED = "CI" in os.environ
settings.register_profile(
    "deep", deadline=None, print_blob=True, derandomize=_JUDGED, max_examples=300 if _JUDGED else 1000
)
settings.load_profile("everyday")
